/**
 * The failure matrix: kinds of failure × runners × policies × events × dialects. Each failure is a real one, of a real hook, once for each
 * runner; how that run ended is then replayed at every event, under every policy, in every dialect, and each decision is compared [F2] [F8].
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dialect, Shape } from "../../src/dialects/dialect.ts";
import { DIALECT_LIST } from "../../src/dialects/index.ts";
import { createEngine, type Engine, type EngineOptions } from "../../src/engine/engine.ts";
import type { Decision } from "../../src/model/decision.ts";
import { EVENTS, type EventName, type HookEvent } from "../../src/model/events.ts";
import { FAILURE_KINDS, FAILURES, failureOf, type FailureKind, type FaultTable } from "../../src/model/failure.ts";
import type { ActionType } from "../../src/model/hook.ts";
import { strictest, VERDICTS, type Verdict } from "../../src/model/verdict.ts";
import { RUNNERS } from "../../src/runners/index.ts";
import { plain, type Runner, type RunnerResult } from "../../src/runners/runner.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { writeFiles } from "../support/temp.ts";
import { CELLS, IMPOSSIBLE, LIMIT_BYTES, RUNNER_NAMES, type Cell } from "./cells.ts";

/** Kinds that stand for others, or that belong to the event, the caller, the session or an approval and not to a run. */
const NOT_OF_A_RUN: readonly FailureKind[] = ["crash", "eventTimeout", "unsupported", "changed"];

const EVENT_NAMES = Object.keys(EVENTS).filter((name): name is EventName => Object.hasOwn(EVENTS, name));
const DECIDING = EVENT_NAMES.filter((name) => EVENTS[name].powers.some((power) => power === "verdict"));
const TYPES: readonly ActionType[] = ["command", "http", "callback", "module"];

const folder = mkdtempSync(join(tmpdir(), "snaphook-matrix-"));
const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), TMPDIR: folder };
const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** How each failure ended, and what was decided about it, by cell. */
const seen = new Map<Cell, { readonly ran: RunnerResult; readonly decision: Decision }>();

beforeAll(async () => {
  writeFiles(folder, { "plain.txt": "hello", "dies.sh": "#!/bin/sh\nkill -KILL $$\n" });
  const url = await serve();
  await Promise.all(CELLS.map(async (cell, index) => seen.set(cell, await failFor(cell, index, url))));
});

const ANSWERS: { readonly [path: string]: (end: (status: number, text: string) => void) => void } = {
  "/status": (end) => end(500, "{}"),
  "/text": (end) => end(200, "oops"),
  "/half": (end) => end(200, '{"verdict": "al'),
  "/list": (end) => end(200, "[]"),
  "/large": (end) => end(200, JSON.stringify("x".repeat(LIMIT_BYTES))),
  "/never": () => {},
};

async function serve(): Promise<string> {
  const server = createServer((request, response) => ANSWERS[request.url ?? ""]?.((status, text) => response.writeHead(status).end(text)));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  );
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

const callbacks = {
  throws: () => {
    throw new Error("oops");
  },
  never: () => new Promise(() => {}),
  text: () => "allow",
};

/** Lets a hook fail at `tool.before` with the policy that denies. */
async function failFor({ runner, hook }: Cell, index: number, url: string): Promise<{ readonly ran: RunnerResult; readonly decision: Decision }> {
  let ran: RunnerResult = plain({ kind: "detached" });
  const listening =
    (type: ActionType): Runner =>
    async (...run) =>
      (ran = await RUNNERS[type](...run));
  const { body, ...entry } = hook;
  const module = `module-${index}.mjs`;
  const text = JSON.stringify({ ...entry, onFault: "deny" })
    .replace("@SERVER@", url)
    .replace("@MODULE@", `./${module}`);
  writeFiles(folder, {
    [`hook-${index}.json`]: `{"hooks": {"tool.before": [${text}]}}`,
    ...(typeof body === "string" && { [module]: `export default () => { ${body} };` }),
  });
  const engine = await opened({
    configs: [{ file: `hook-${index}.json`, dialect: "snaphook" }],
    launcher: runner.endsWith("zygote") ? "zygote" : "spawn",
    limitBytes: LIMIT_BYTES,
    callbacks,
    runners: Object.fromEntries(TYPES.map((type) => [type, listening(type)])),
  });
  const decision = await engine.fire(eventOf("tool.before"));
  return { ran, decision };
}

async function opened(options: Partial<EngineOptions>): Promise<Engine> {
  const engine = await createEngine({ cwd: folder, env, ...options });
  closing.push(async () => engine.close());
  return engine;
}

function eventOf(name: EventName): HookEvent {
  const tool = { name: "shell", input: { command: "ls" }, useId: "u-1", ...(EVENTS[name].result === "of-ended" && { output: "", isError: false }) };
  return { name, cwd: folder, ...(EVENTS[name].subject === "tool" && { tool }) };
}

describe("every pair of runner and failure", () => {
  test.each(RUNNER_NAMES)("%s: each kind can happen, or it is said why not", (runner) => {
    const happens = CELLS.filter((cell) => cell.runner === runner).map(({ failure }) => failure);
    const wanted = FAILURE_KINDS.filter((kind) => !NOT_OF_A_RUN.includes(kind));
    expect([...happens, ...Object.keys(IMPOSSIBLE[runner])].toSorted()).toEqual(wanted.toSorted());
  });

  test.each(CELLS.map((cell) => [cell.runner, cell.failure, cell] as const))("%s, %s: a fault with its name, and the call is denied", (_, failure, cell) => {
    const report = seen.get(cell)?.decision;
    const fault = report?.hooks[0]?.fault;
    expect([report?.verdict, fault?.kind, fault && failureOf(fault)]).toEqual(["deny", cell.fault, failure]);
  });
});

/** An engine whose hooks end as they are told, one at every event of a file. */
async function replaying(
  name: string,
  config: object,
  dialect: Dialect,
  options: Partial<EngineOptions> = {},
): Promise<(cell: Cell, event: EventName) => Promise<Decision>> {
  let told: RunnerResult = plain({ kind: "detached" });
  // The built-in approval hook of a dialect stands in no file: it does what it does.
  const standIn =
    (type: ActionType): Runner =>
    (hook, ...rest) =>
      hook.source === null ? RUNNERS[type](hook, ...rest) : told;
  writeFiles(folder, { [`${name}.json`]: config });
  const engine = await opened({
    configs: [{ file: `${name}.json`, dialect: dialect.id }],
    runners: Object.fromEntries(TYPES.map((type) => [type, standIn(type)])),
    ...options,
  });
  return async (cell, event) => {
    told = seen.get(cell)?.ran ?? told;
    return engine.fire(eventOf(event));
  };
}

/** What a cell's policy wants: for its kind one word, for all others another. */
const POLICIES: readonly { readonly says: string; readonly policy: (failure: FailureKind) => Verdict | FaultTable; readonly means: Verdict | null }[] = [
  ...VERDICTS.map((word) => ({ says: word, policy: () => word, means: word === "allow" ? null : word })),
  { says: "its kind deny, else allow", policy: (failure) => ({ [failure]: "deny", default: "allow" }), means: "deny" },
  { says: "its kind ask, else deny", policy: (failure) => ({ [failure]: "ask", default: "deny" }), means: "ask" },
  { says: "the wider kind deny, else allow", policy: (failure) => ({ [FAILURES[failure].within ?? failure]: "deny", default: "allow" }), means: "deny" },
  { says: "another kind deny, else ask", policy: (failure) => ({ [failure === "timeout" ? "refused" : "timeout"]: "deny", default: "ask" }), means: "ask" },
];

describe.each(POLICIES)("policy: $says", ({ says, policy, means }) => {
  test("at every event the verdict is the policy's where there is one to give, and null elsewhere", async () => {
    const native = DIALECT_LIST.find(({ id }) => id === "snaphook");
    const engines = new Map<FailureKind, Awaited<ReturnType<typeof replaying>>>();
    const wrong: string[] = [];
    let cells = 0;
    for (const cell of CELLS) {
      const { failure, runner } = cell;
      const hooks = Object.fromEntries(EVENT_NAMES.map((event) => [event, [{ command: "x", onFault: policy(failure) }]]));
      const fire = engines.get(failure) ?? (native && (await replaying(`policy ${says} ${failure}`, { hooks }, native)));
      if (!fire) throw new Error("there is no native dialect");
      engines.set(failure, fire);
      for (const event of EVENT_NAMES) {
        const { verdict, hooks: reports, notices } = await fire(cell, event);
        const expected = DECIDING.includes(event) ? means : null;
        if (verdict !== expected || reports[0]?.verdict !== null || !notices.some(({ kind }) => kind === "fault"))
          wrong.push(`${runner}, ${failure}, ${event}: ${verdict}`);
        cells++;
      }
    }
    expect(wrong).toEqual([]);
    expect(cells).toBe(CELLS.length * EVENT_NAMES.length);
  });
});

/** An entry for a hook that the stand-in runs, as each shape writes it. */
const ENTRIES: { readonly [shape in Shape]: unknown } = {
  strings: "x",
  "named-groups": { hooks: ["throws"] },
  "typed-groups": { hooks: [{ type: "command", command: "x" }] },
  flat: { command: "x" },
  native: { command: "x" },
};

describe.each(DIALECT_LIST.map((dialect) => [dialect.id, dialect] as const))("the default of %s", (id, dialect) => {
  const hooks = Object.fromEntries(Object.keys(dialect.events).map((wire) => [wire, [ENTRIES[dialect.config.shape]]]));
  const events = [...new Set(Object.values(dialect.events).flatMap(({ is, pace }) => (pace === "detach" ? [] : is)))];

  test.each([
    ["as it is", {}, dialect.onFault],
    ["in managed settings", { managed: true }, "deny" as const],
  ])("%s: no failure is an allow, and a fault weighs what the default says", async (name, { managed }: { managed?: boolean }, word) => {
    const place = dialect.config.places.find(({ layer }) => layer === "managed");
    if (managed && !place) return;
    const root = join(folder, `machine-${id}`);
    if (managed && place) writeFiles(root, { [place.path.replace(/\.ya?ml$/, ".json")]: { hooks } });
    const owner = process.getuid?.() ?? 0;
    const fire = await replaying(`default ${id} ${name}`, managed ? {} : { hooks }, dialect, managed ? { discover: true, managed: { root, owner } } : {});
    const wrong: string[] = [];
    for (const cell of CELLS) {
      for (const event of events) {
        const { verdict, hooks: all } = await fire(cell, event);
        const reports = all.filter(({ source }) => source !== null);
        const builtIn = all.filter(({ source }) => source === null).map((report) => report.verdict);
        // A dialect that answers by exit code takes broken JSON for text: no fault, no opinion.
        const isFault = reports.some(({ fault }) => fault !== null);
        const expected = DECIDING.includes(event) ? strictest([...builtIn, isFault && word !== "allow" ? word : null]) : null;
        if (reports.length !== 1 || verdict !== expected || reports[0]?.verdict !== null) wrong.push(`${cell.runner}, ${cell.failure}, ${event}: ${verdict}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
