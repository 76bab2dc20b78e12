/** Hooks whose process stays between events: commands with `worker`, and modules. */
import { dialectById } from "../dialects/index.ts";
import type { Dialect, DialectEvent } from "../dialects/dialect.ts";
import { lookup, type JsonObject } from "../lib/json.ts";
import { isWarm, type Hook, type WarmAction } from "../model/hook.ts";
import { confinementOf, type Confining } from "./confinement.ts";
import { inheritedEnv } from "./environment.ts";
import { launchOf } from "./launch.ts";
import { plain, type Payload, type RunContext, type Runner } from "./runner.ts";
import { moduleLaunch } from "./worker-module.ts";
import type { WorkerLaunch } from "./worker-process.ts";
import { Worker, type WorkerOptions } from "./worker-queue.ts";

/** Asks the hook's worker, which is started when there is none. */
export const runWorker: Runner = async (hook, payload, context) => {
  const { action } = hook;
  const dialect = dialectById(hook.dialect);
  if (!dialect || !isWarm(action)) return plain({ kind: "failed", fault: "unsupported", message: `a ${action.type} hook is no worker` });
  const found = confinementOf(hook, { ...context, cwd: context.projectDir });
  const confine = found instanceof Promise ? await found : found;
  if (typeof confine === "string") return plain({ kind: "failed", fault: "unsupported", message: confine });
  const worker = context.workers.of(hook, () => openWorker(hook, action, { dialect, payload, context, confine }));
  return worker.ask(hook, payload.stdinText, context.signal);
};

function openWorker(
  hook: Hook,
  action: WarmAction,
  { dialect, payload, context, confine }: { readonly dialect: Dialect; readonly payload: Payload; readonly context: RunContext; readonly confine: Confining },
): Worker {
  const env = workerEnv(hook, payload, context, dialect);
  return new Worker({
    launch: () => withPlace(programOf(action, { context, confine }), { env, cwd: context.projectDir }),
    unnamed: (value, asked) => unnamedReading(value, asked, dialect),
    denies: (code) => code === 2 && dialect.exit[2].startsWith("deny"),
    limitBytes: context.limitBytes,
    idleMs: action.worker.idleMs,
    now: context.now,
  });
}

type Program = Pick<WorkerLaunch, "file" | "args" | "windowsVerbatim">;

/** What to start; a text says why nothing can be. */
function programOf(action: WarmAction, { context, confine }: { readonly context: RunContext; readonly confine: Confining }): Program | string {
  if (action.type === "module") {
    const launch = moduleLaunch(action.module, context);
    return typeof launch === "string" ? launch : confine.wrap({ ...launch, login: false }, launch.needs);
  }
  const windows = process.platform === "win32";
  return { ...confine.wrap(launchOf(action, windows ? "windows" : "posix")), windowsVerbatim: windows && action.launch !== "argv" };
}

function withPlace(program: Program | string, place: Pick<WorkerLaunch, "env" | "cwd">): WorkerLaunch | string {
  return typeof program === "string" ? program : { ...program, ...place };
}

/** What holds for every event. SHLVL: without it bash takes a socket for stdin as a remote login and reads `~/.bashrc`. */
function workerEnv(hook: Hook, payload: Payload, { env }: RunContext, { ownEnv, eventEnv = [] }: Dialect): { readonly [name: string]: string } {
  const inherited = Object.entries(inheritedEnv(hook, env)).filter(([name]) => !ownEnv.includes(name) && !eventEnv.includes(name));
  const own = Object.entries(payload.env).filter(([name]) => !eventEnv.includes(name));
  return { SHLVL: "1", ...Object.fromEntries([...inherited, ...own]) };
}

/** An object that holds nothing but words of an answer was meant as one. */
function unnamedReading(value: JsonObject, { wireName }: Hook, dialect: Dialect): ReturnType<WorkerOptions["unnamed"]> {
  const reader = dialect.returned;
  const row = lookup<DialectEvent>(dialect.events, wireName);
  if (!row || !Object.keys(value).every((key) => reader.keys.includes(key))) return "noise";
  return reader.read(value, { wireName, row }).verdict === "deny" ? "denial" : "answer";
}
