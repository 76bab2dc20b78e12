/** The suite that every dialect passes, and the rows that prove its own words. */
import type { Dialect } from "../dialects/dialect.ts";
import { EVENTS, type EventName, type HookEvent } from "../model/events.ts";
import { NO_OPINION, type Outcome } from "../model/outcome.ts";
import type { RunResult } from "../model/run.ts";
import { interpretAs, payloadAs } from "./dialect.ts";
import { exited, failed, notStarted, oversized, signalled, timedOut } from "./runs.ts";

/** One sentence of a dialect's specification: a run, and what it means. Of the outcome only what is not "no opinion" is written. */
export interface ConformanceRow {
  readonly says: string;
  readonly wire: string;
  readonly run: RunResult;
  readonly means: Partial<Outcome>;
}

/** The three functions of a test runner. They are handed in, so that any runner will do and none is loaded here. */
export interface TestKit {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: () => void) => unknown;
  readonly expect: (value: unknown) => { toEqual(expected: unknown): unknown };
}

/** Registers the common suite and the dialect's own rows. */
export function conformance(dialect: Dialect, rows: readonly ConformanceRow[], { describe, test, expect }: TestKit): void {
  describe(`${dialect.id}: as every dialect`, () => {
    for (const [wire, row] of Object.entries(dialect.events)) {
      test(`${wire} stands for canonical events`, () => {
        expect(row.is.filter((name) => !Object.hasOwn(EVENTS, name))).toEqual([]);
      });
      test(`${wire}: exit 0 and silence is no opinion`, () => {
        expect(interpretAs(dialect, wire, exited(0))).toEqual(NO_OPINION);
      });
      for (const { run, fault } of BROKEN) {
        test(`${wire}: a broken hook has no opinion and a fault with a name (${fault}) [F8]`, () => {
          const outcome = interpretAs(dialect, wire, run);
          expect({ ...outcome, fault: outcome.fault?.kind }).toEqual({ ...NO_OPINION, fault });
        });
      }
      for (const name of row.is) {
        test(`${wire}: its payload for ${name} is JSON that names the event, its variables are text`, () => {
          const { stdin, stdinText, env } = payloadAs(dialect, wire, sampleEvent(name));
          expect(JSON.parse(stdinText)).toEqual(stdin);
          expect(Object.values(stdin).includes(wire)).toEqual(true);
          expect(Object.values(env).filter((value) => typeof value !== "string")).toEqual([]);
        });
      }
    }
    test("its legacy variable names an event of its own", () => {
      expect(dialect.envHook === undefined || Object.hasOwn(dialect.events, dialect.envHook.wireName)).toEqual(true);
    });
  });
  if (rows.length === 0) return;
  describe(`${dialect.id}: its own words`, () => {
    for (const { says, wire, run, means } of rows) {
      test(says, () => expect(interpretAs(dialect, wire, run)).toEqual({ ...NO_OPINION, ...means }));
    }
  });
}

/** Endings that are no answer in any dialect. */
const BROKEN: readonly { readonly run: RunResult; readonly fault: string }[] = [
  { run: exited(1, "x"), fault: "exit" },
  { run: signalled("SIGKILL"), fault: "signal" },
  { run: timedOut(5), fault: "timeout" },
  { run: notStarted("there is no such program"), fault: "not-started" },
  { run: oversized(10), fault: "oversized" },
  { run: failed("exception", "it threw"), fault: "exception" },
];

/** An event with everything that any event may carry. */
function sampleEvent(name: EventName): HookEvent {
  const { subject } = EVENTS[name];
  const tool = { name: "shell", input: { command: "ls" }, useId: "use-1" };
  const after = EVENTS[name].result === "of-ended" ? { output: "file", isError: false } : {};
  const base = { name, sessionId: "session-1", turnId: "turn-1", cwd: "/project", source: "startup", reason: "other", trigger: "manual" };
  return { ...base, message: "hello", ...(subject === "tool" && { tool: { ...tool, ...after } }) };
}
