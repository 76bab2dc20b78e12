/** What the end of a worker means for the events that it was asked and has not answered. Pure. */
import type { FailureKind } from "../model/failure.ts";
import type { RunResult } from "../model/run.ts";

/** How a worker ended by itself. */
export type WorkerEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "not-started"; readonly message: string; readonly failure?: FailureKind };

/** The end as the run of each such event. Success is not silence: exit 0 without an answer is no answer. */
export function lostAnswer(end: WorkerEnd, stderr: string): RunResult {
  switch (end.kind) {
    case "exited":
      if (end.code === 0) return { kind: "failed", fault: "answer", message: "it ended (exit code 0) without an answer" };
      return { kind: "exited", code: end.code, stdout: "", stderr };
    case "signalled":
      return { kind: "signalled", signal: end.signal, stderr };
    case "not-started":
      return end;
  }
}

/** The end in a few words, with the last thing it said. */
export function endText(end: WorkerEnd, stderr: string): string {
  const said = stderr.trim().split("\n").at(-1) ?? "";
  return `${wordsOf(end)}${said === "" ? "" : `: ${said}`}`;
}

function wordsOf(end: WorkerEnd): string {
  switch (end.kind) {
    case "exited":
      return `exit code ${end.code}`;
    case "signalled":
      return `ended by ${end.signal}`;
    case "not-started":
      return end.message;
  }
}
