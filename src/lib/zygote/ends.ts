/** How programs of the zygote end. */
import { constants } from "node:os";
import type { StartedEnd } from "../process.ts";

/** Nothing of it has run. */
export const REFUSED: StartedEnd = { kind: "failed", error: new Error("the zygote could not start it") };

/** Of two names for one number the first counts, as Node has it: SIGABRT, not SIGIOT. */
export function signalName(wanted: number): string {
  return Object.entries(constants.signals).find(([, number]) => number === wanted)?.[0] ?? `signal ${wanted}`;
}

/** What wait(2) says. */
export function endOf(status: number): StartedEnd {
  const signal = status & 0x7f;
  const code = signal === 0 ? (status >> 8) & 0xff : null;
  return { kind: "ended", code, signal: code === null ? signalName(signal) : null };
}

/** Nobody knows how the command would have ended. */
export const LOST: StartedEnd = { kind: "lost", message: "the shell that carried it out was ended from outside" };

/** What the end of a shell is for the command that it carried out: its code says nothing about the command. */
export function endWithShell(end: StartedEnd): StartedEnd {
  return end.kind === "ended" && end.signal !== null ? end : LOST;
}
