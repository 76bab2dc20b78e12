import { codeOf } from "./errors.ts";

/** Whether a process runs: also one of another user, which can't be signalled. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
