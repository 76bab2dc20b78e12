/** What hooks printed: kept beside their reports, so that a decision stays as the specification writes it and nobody pays who does not look. */
import type { HookReport } from "./decision.ts";
import type { RunResult } from "./run.ts";

/** What one hook printed. */
export interface HookOutput {
  readonly stdout: string;
  readonly stderr: string;
}

const printed = new WeakMap<HookReport, RunResult>();

/** Remembers the run behind a report for as long as somebody has the report. */
export function keepOutput(report: HookReport, result: RunResult): HookReport {
  if ("stderr" in result) printed.set(report, result);
  return report;
}

/** What the hook of a report printed; undefined where it is no process, or the report is a copy. */
export function outputOf(report: HookReport): HookOutput | undefined {
  const result = printed.get(report);
  if (!result || !("stderr" in result)) return undefined;
  return { stdout: "stdout" in result ? result.stdout : "", stderr: result.stderr };
}
