import { execFileSync, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { sleep } from "./time.ts";

const POLL_MS = 20;
/** How long a killed group may take to vanish before we stop looking: the kernel may be busy with its last write. */
const VANISH_MS = 1_000;

/** A child and everything it started in its process group, which end together. */
export class ProcessGroup {
  readonly #pid: number | undefined;
  readonly #graceMs: number;

  constructor(child: ChildProcess, graceMs: number) {
    this.#pid = child.pid;
    this.#graceMs = graceMs;
  }

  /** TERM, grace, KILL, to the whole group. True when there was something to end. */
  async end(): Promise<boolean> {
    if (!this.#signal("SIGTERM")) return false;
    if (await this.#vanishes(this.#graceMs)) return true;
    this.#signal("SIGKILL");
    await this.#vanishes(VANISH_MS);
    return true;
  }

  async #vanishes(withinMs: number): Promise<boolean> {
    for (let waitedMs = 0; waitedMs <= withinMs; waitedMs += POLL_MS) {
      if (!this.#signal(0) || !hasLivingMember(this.#pid)) return true;
      await sleep(POLL_MS);
    }
    return false;
  }

  /** False when there is nothing left to signal. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    if (this.#pid === undefined) return false;
    try {
      if (process.platform === "win32") return signalWindows(this.#pid, signal);
      return process.kill(-this.#pid, signal);
    } catch {
      return false;
    }
  }
}

/** A dead process that nobody has collected can still be signalled. In a container without an init that would be forever, so we look closer. */
function hasLivingMember(group: number | undefined): boolean {
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((entry) => {
    if (!/^\d/.test(entry)) return false;
    const { state, group: itsGroup } = statusOf(entry);
    return itsGroup === group && state !== "Z" && state !== "X";
  });
}

/** State and group from `pid (name) state parent group …`; the name may hold blanks and parentheses. */
function statusOf(pid: string): { readonly state: string; readonly group: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, group: Number(group) };
  } catch {
    return { state: "X", group: 0 };
  }
}

/** Windows has no groups: a tree is ended by force, and only by force. */
function signalWindows(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (signal === 0) return process.kill(pid, 0);
  execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
  return true;
}
