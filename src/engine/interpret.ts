/** What a run means, in its hook's dialect. Pure: no clock, process or log. */
import type { AnswerReader, Dialect, ExitReading } from "../dialects/dialect.ts";
import { okReader } from "../dialects/ok.ts";
import { spelledName } from "../dialects/spelling.ts";
import { isObject } from "../lib/json.ts";
import { findObjects, isCutOff } from "../lib/json-scan.ts";
import type { FailureKind } from "../model/failure.ts";
import type { ActionType } from "../model/hook.ts";
import { NO_OPINION, type Effect, type FaultKind, type Outcome } from "../model/outcome.ts";
import type { RunResult } from "../model/run.ts";
import type { Interpretation } from "./words.ts";

/** Reads how a run ended and what it said. */
export function interpret(result: RunResult, how: Interpretation): Outcome {
  switch (result.kind) {
    case "exited":
      return readExit(result, how);
    case "returned":
      return readReturned(result.value, how);
    case "oversized":
      return readOversized(result, how);
    case "signalled":
      return fault("signal", `ended by ${result.signal}${lastLine(result.stderr)}`);
    case "timed-out":
      return result.event
        ? fault("timeout", `the event's time of ${result.afterMs} ms was used up before it had answered`, "eventTimeout")
        : fault("timeout", `no answer within ${result.afterMs} ms: killed with everything it started`);
    case "not-started":
      return fault("not-started", result.message, result.failure);
    case "failed":
      return fault(result.fault, result.message, result.failure);
    case "changed":
      return readChanged(result, how);
    case "detached":
    case "skipped":
      return NO_OPINION;
  }
}

type Exited = Extract<RunResult, { kind: "exited" }>;

function readExit(run: Exited, how: Interpretation): Outcome {
  const reading = readingOf(run.code, how.dialect);
  switch (reading) {
    case "answer":
      return readText(run.stdout, how);
    case "answer-or-fault":
      return withReason(readJson(run.stdout, how.dialect.answer, how) ?? exitFault(run), how);
    case "deny:stdout":
    case "deny:stderr":
    case "deny:any":
      return readDenial(run, reading, how);
    case "fault":
      return exitFault(run);
  }
}

function readingOf(code: number, { exit }: Dialect): ExitReading {
  if (code === 0) return exit[0];
  return code === 2 ? exit[2] : exit.other;
}

/** A denial by exit code stands whatever else was printed; a JSON answer may add a reason and effects, never take it back. */
function readDenial({ stdout, stderr }: Pick<Exited, "stdout" | "stderr">, reading: "deny:stdout" | "deny:stderr" | "deny:any", how: Interpretation): Outcome {
  const said = reading === "deny:stdout" ? undefined : readJson(stdout, how.dialect.answer, how);
  const words = { "deny:stdout": [stdout], "deny:stderr": [stderr, said?.reason], "deny:any": [said?.reason, stderr, said ? "" : stdout] }[reading];
  const reason = words.map((text) => text?.trim() ?? "").find((text) => text !== "") ?? silentDenial(how);
  const effects: readonly Effect[] =
    reading === "deny:stdout"
      ? [{ kind: "feedback", text: reason }]
      : (said?.effects.filter((effect) => effect.kind !== "input" && effect.kind !== "rule") ?? []);
  return { verdict: "deny", reason, effects, fault: null, remarks: said?.remarks ?? [] };
}

/** An answer with exit 0. */
function readText(stdout: string, how: Interpretation): Outcome {
  const text = stdout.trim();
  if (text === "") return NO_OPINION;
  const answered = readJson(stdout, how.dialect.answer, how);
  if (answered) return withReason(answered, how);
  switch (how.row.text) {
    case "ignore":
      // Text is nothing here, but half an object was meant as an answer: it must not be lost in silence.
      return how.dialect.answer && text.startsWith("{") ? notJson(text) : NO_OPINION;
    case "context-or-answer":
    case "context":
      if (how.row.text === "context-or-answer" && text.startsWith("{")) return notJson(text);
      return { ...NO_OPINION, effects: [{ kind: "context", text, ...(how.row.slot !== undefined && { slot: how.row.slot }) }] };
    case "feedback":
      return { ...NO_OPINION, effects: [{ kind: "feedback", text }] };
  }
}

/** The last JSON object with a word of the dialect is the answer, whatever text stands around it [F10]. Undefined: there is none. */
function readJson(stdout: string, reader: AnswerReader | undefined, { hook, row }: Interpretation): Outcome | undefined {
  if (!reader) return undefined;
  const text = stdout.trim().replace(/^\uFEFF/, "");
  const scan = findObjects(text);
  if (scan.kind === "too-much") return fault("answer", "the output is full of braces and no answer could be found in it");
  const [first] = scan.objects;
  if (scan.objects.length === 1 && first?.start === 0 && first.end === text.length) return reader.read(first.value, { wireName: hook.wireName, row });
  const answers = scan.objects
    .filter(({ value }) => reader.keys.some((key) => Object.hasOwn(value, key)))
    .map(({ value }) => reader.read(value, { wireName: hook.wireName, row }));
  // The last one that decides: a log line behind a denial must not hide it.
  const outcome = answers.findLast((each) => each.verdict !== null || each.fault !== null) ?? answers.at(-1);
  if (!outcome) return undefined;
  const more = answers.length > 1 ? `; of ${answers.length} answers the last one that decides counts` : "";
  return { ...outcome, remarks: [...outcome.remarks, `other text stands around the answer of ${hook.name}${more}`] };
}

function readReturned(value: unknown, how: Interpretation): Outcome {
  if (value === undefined || value === null) {
    return how.hook.action.type === "callback" ? NO_OPINION : fault("answer", "the answer is empty");
  }
  if (!isObject(value)) return fault("answer", `the answer is ${Array.isArray(value) ? "a list" : `a ${typeof value}`}, not an object`);
  return withReason(RETURNED[how.hook.action.type](how.dialect).read(value, { wireName: how.hook.wireName, row: how.row }), how);
}

/** A model answers `{"ok"}` in every dialect; servers and functions answer in their dialect's words. */
const RETURNED: { readonly [type in ActionType]: (dialect: Dialect) => AnswerReader } = {
  command: (dialect) => dialect.returned,
  http: (dialect) => dialect.returned,
  callback: (dialect) => dialect.returned,
  module: (dialect) => dialect.returned,
  prompt: () => okReader,
  agent: () => okReader,
};

/** Too much output is a fault, but an exit code that denies is not lost in it. */
function readOversized({ limitBytes, code, stderr }: Extract<RunResult, { kind: "oversized" }>, how: Interpretation): Outcome {
  const reading = code === null ? "fault" : readingOf(code, how.dialect);
  const message = `it printed more than ${limitBytes} bytes`;
  if (reading === "fault" || reading === "answer" || reading === "answer-or-fault") return fault("oversized", message);
  return { ...readDenial({ stdout: "", stderr }, reading, how), remarks: [`${message}; its exit code denies all the same`] };
}

/** Nobody approved what ran: all that it may do is deny. */
function readChanged({ message, result }: Extract<RunResult, { kind: "changed" }>, how: Interpretation): Outcome {
  const outcome = interpret(result, how);
  return outcome.verdict === "deny" ? { ...outcome, remarks: [...outcome.remarks, `${how.hook.name} denied, and ${message}`] } : fault("changed", message);
}

/** Whoever denies without a word is at least named. */
function withReason(outcome: Outcome, how: Interpretation): Outcome {
  return outcome.verdict === "deny" && outcome.reason === null ? { ...outcome, reason: silentDenial(how) } : outcome;
}

function silentDenial({ dialect, hook, tool }: Interpretation): string {
  return dialect.silentDenial({ wireName: hook.wireName, tool: tool && spelledName(tool, dialect), hook: hook.name });
}

function notJson(text: string): Outcome {
  return fault("answer", `the answer is not valid JSON: ${text.slice(0, SHOWN_CHARACTERS)}`, isCutOff(text) ? "partialJson" : "badJson");
}

function exitFault({ code, stderr }: Exited): Outcome {
  const known = SHELL_EXITS[code];
  return fault("exit", `exit code ${code}${known ? ` (${known.text})` : ""}${lastLine(stderr)}`, known?.failure);
}

/** What a shell says with its exit code about the command that it was given. */
const SHELL_EXITS: { readonly [code: number]: { readonly text: string; readonly failure: FailureKind } } = {
  126: { text: "not executable", failure: "notExecutable" },
  127: { text: "command not found", failure: "notFound" },
};

const SHOWN_CHARACTERS = 200;

function lastLine(stderr: string): string {
  const line = stderr.trim().split("\n").at(-1) ?? "";
  return line === "" ? "" : `: ${line.slice(0, SHOWN_CHARACTERS)}`;
}

function fault(kind: FaultKind, message: string, failure?: FailureKind): Outcome {
  return { ...NO_OPINION, fault: { kind, message, ...(failure && { failure }) } };
}
