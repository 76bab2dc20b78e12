/** Process groups by their id, as far as they really run. */
import { readdir, readFile } from "node:fs/promises";
import { sleep } from "./time.ts";

const POLL_MS = 20;

/** Signals a group. False when there is nothing left to signal. */
export function signalGroup(id: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (id === undefined) return false;
  try {
    return process.kill(process.platform === "win32" ? id : -id, signal);
  } catch {
    return false;
  }
}

/** Whether a group has a member that is no zombie: where nobody reaps orphans, as in many containers, those can be signalled for ever. */
export async function groupRuns(id: number | undefined): Promise<boolean> {
  if (!signalGroup(id, 0)) return false;
  if (process.platform !== "linux") return true;
  const processes = await readdir("/proc").catch(() => []);
  for (const name of processes.filter((each) => /^\d+$/.test(each))) {
    // After the name in brackets, which may hold anything: state, parent, group.
    const [state, , group] = (await readFile(`/proc/${name}/stat`, "utf8").catch(() => "")).replace(/^.*\) /s, "").split(" ");
    if (group === String(id) && state !== "Z" && state !== "X") return true;
  }
  return false;
}

/** How long after the first TERM a second one is sent: bash loses one that comes while it forks. */
const AGAIN_MS = 200;

/** TERM, grace, KILL, to a whole group. */
export async function endGroup(id: number | undefined, graceMs: number): Promise<void> {
  if (!signalGroup(id, "SIGTERM")) return;
  const started = performance.now();
  let again = false;
  while (await groupRuns(id)) {
    const waitedMs = performance.now() - started;
    if (waitedMs > graceMs) return void signalGroup(id, "SIGKILL");
    if (waitedMs > AGAIN_MS && !again) again = signalGroup(id, "SIGTERM");
    await sleep(POLL_MS);
  }
}
