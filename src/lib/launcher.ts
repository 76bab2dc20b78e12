/** Who starts processes: a zygote where there can be one, spawn elsewhere. All launchers of a process share one zygote. */
import { LoginShells } from "./login-shell.ts";
import { runProcess, type ProcessEnd, type ProcessRequest, type StartProcess } from "./process.ts";
import { settlesWithin } from "./time.ts";
import { asOwnShell } from "./zygote/fork-script.ts";
import { zygotePossible } from "./zygote/spawn-zygote.ts";
import { Zygote, type StartedByZygote } from "./zygote/zygote.ts";

/** `auto`: spawn at first, a zygote once it is worth its start. `zygote`: wait for it. `spawn`: never. */
export const LAUNCHER_MODES = ["auto", "zygote", "spawn"] as const;

/** How processes are started. */
export type LauncherMode = (typeof LAUNCHER_MODES)[number];

/** Starts processes. */
export interface Launcher {
  /** Runs a program to its end. Never rejects: whatever goes wrong is in the result. */
  run(request: ProcessRequest): Promise<ProcessEnd>;
  /** Lets go of what is kept ready. */
  close(): void;
}

/** A command line that fires one event starts few hooks; a zygote costs as much as starting two. */
const WORTH_AFTER_LAUNCHES = 4;
/** How many zygotes may end before they ever started anything. */
const MOST_FAILED_STARTS = 2;

/** How long `zygote` waits for it; the timer also keeps this process alive meanwhile. */
const LONGEST_START_MS = 10_000;

/** The second login command of a folder is worth a look at what its profile does. */
const WORTH_AFTER_LOGINS: { readonly [mode in Exclude<LauncherMode, "spawn">]: number } = { auto: 2, zygote: 1 };

const shared: { zygote: Zygote | undefined; users: number; failedStarts: number } = { zygote: undefined, users: 0, failedStarts: 0 };

/** Opens a launcher; who opens it closes it. */
export function openLauncher(mode: LauncherMode): Launcher {
  if (mode === "spawn") return { run: runProcess, close: () => {} };
  let launches = 0;
  let state: "unused" | "open" | "closed" = "unused";
  const run = async (request: ProcessRequest): Promise<ProcessEnd> => {
    // A zygote hands on no descriptors.
    if (state === "closed" || request.descriptors?.length) return runProcess(request);
    if (state === "unused") shared.users++;
    state = "open";
    launches++;
    const zygote = zygoteFor(mode, launches, request);
    if (mode === "zygote" && zygote?.starting) await settlesWithin(zygote.started, LONGEST_START_MS);
    return zygote?.usable ? runThrough(zygote, request) : runProcess(request);
  };
  const logins = new LoginShells(run, WORTH_AFTER_LOGINS[mode]);
  return {
    run: async (request) => run(request.login ? logins.warm(request) : request),
    close: () => {
      logins.close();
      if (state === "open") shared.users--;
      if (state === "open" && shared.users === 0) dismiss();
      state = "closed";
    },
  };
}

/** The process id of the zygote that runs, for tests and for `ps`. */
export function zygotePid(): number | undefined {
  return shared.zygote?.gone === false ? shared.zygote.pid : undefined;
}

function zygoteFor(mode: LauncherMode, launches: number, { env }: ProcessRequest): Zygote | undefined {
  if (!zygotePossible() || shared.failedStarts >= MOST_FAILED_STARTS) return undefined;
  if (shared.zygote && (shared.zygote.gone || !shared.zygote.ours)) dismiss();
  if (!shared.zygote && (mode === "zygote" || launches >= WORTH_AFTER_LAUNCHES)) shared.zygote = hatch(env);
  return shared.zygote;
}

/** Undefined where it can't even be started: spawn says then what is wrong. */
function hatch(env: { readonly [name: string]: string }): Zygote | undefined {
  try {
    const zygote = new Zygote(env);
    void zygote.started.then((up) => (shared.failedStarts = up ? 0 : shared.failedStarts + 1));
    return zygote;
  } catch {
    shared.failedStarts += 1;
    return undefined;
  }
}

function dismiss(): void {
  shared.zygote?.close();
  shared.zygote = undefined;
}

/** What the zygote can't start is started again by spawn, which says why it can't be. */
async function runThrough(zygote: Zygote, request: ProcessRequest): Promise<ProcessEnd> {
  let run: StartedByZygote | undefined;
  const start: StartProcess = (...given) => (run = zygote.start(...given));
  const end = await runProcess(request, start);
  if (run?.refused && end.kind === "not-started") return runProcess(request);
  return run?.inFork && "stderr" in end ? { ...end, stdout: asOwnShell(end.stdout), stderr: asOwnShell(end.stderr) } : end;
}
