/** Process groups by their id: a child and everything it started, which end together. */
import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { sleep } from "./time.ts";

const POLL_MS = 20;
/** How long after the first TERM a second one is sent: bash loses one that comes while it forks. */
const AGAIN_MS = 200;
/** How long a killed group may take to vanish before we stop looking: the kernel may be busy with its last write. */
const VANISH_MS = 1_000;

/** Signals a group. False when there is nothing left to signal. */
export function signalGroup(id: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (id === undefined) return false;
  try {
    return process.platform === "win32" ? signalTree(id, signal) : process.kill(-id, signal);
  } catch {
    return false;
  }
}

/** Whether a group has a member that is no zombie: where nobody reaps orphans, as in many containers, those can be signalled for ever. */
export async function groupRuns(id: number | undefined): Promise<boolean> {
  if (!signalGroup(id, 0)) return false;
  if (process.platform !== "linux") return true;
  return (await livingGroups()).has(String(id));
}

/** One look at the machine serves all who ask while it has not begun: many groups may be ended at once. */
function livingGroups(): Promise<ReadonlySet<string>> {
  nextLook ??= thisLook.then(() => {
    nextLook = undefined;
    const look = lookAtProcesses();
    thisLook = look;
    return look;
  });
  return nextLook;
}

let thisLook: Promise<unknown> = Promise.resolve();
let nextLook: Promise<ReadonlySet<string>> | undefined;

async function lookAtProcesses(): Promise<ReadonlySet<string>> {
  const groups = new Set<string>();
  const processes = await readdir("/proc").catch(() => []);
  for (const name of processes.filter((each) => /^\d+$/.test(each))) {
    // After the name in brackets, which may hold anything: state, parent, group.
    const [state, , group = ""] = (await readFile(`/proc/${name}/stat`, "latin1").catch(() => "")).replace(/^.*\) /s, "").split(" ");
    if (state !== "Z" && state !== "X") groups.add(group);
  }
  return groups;
}

/** TERM, grace, KILL, to a whole group. True when there was something to end. */
export async function endGroup(id: number | undefined, graceMs: number): Promise<boolean> {
  if (!signalGroup(id, "SIGTERM")) return false;
  if (await vanishes(id, { withinMs: Math.min(AGAIN_MS, graceMs) })) return true;
  signalGroup(id, "SIGTERM");
  if (await vanishes(id, { withinMs: graceMs - AGAIN_MS })) return true;
  signalGroup(id, "SIGKILL");
  await vanishes(id, { withinMs: VANISH_MS });
  return true;
}

async function vanishes(id: number | undefined, { withinMs }: { readonly withinMs: number }): Promise<boolean> {
  const started = performance.now();
  while (await groupRuns(id)) {
    if (performance.now() - started > withinMs) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Windows has no groups: a tree is ended by force, and only by force. */
function signalTree(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (signal === 0) return process.kill(pid, 0);
  execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
  return true;
}
