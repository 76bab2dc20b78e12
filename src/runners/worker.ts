/** Hooks whose process stays between events: commands with `worker`, and modules. */
import { dialectById } from "../dialects/index.ts";
import type { Dialect, DialectEvent } from "../dialects/dialect.ts";
import { lookup, type JsonObject } from "../lib/json.ts";
import { isWarm, type Hook, type WarmAction } from "../model/hook.ts";
import type { Vouch } from "../trust/vouch.ts";
import { confinementOf, type Confining, type NotHeld } from "./confinement.ts";
import { inheritedEnv } from "./environment.ts";
import { launchOf } from "./launch.ts";
import { plain, unlessChanged, type Payload, type RunContext, type Runner } from "./runner.ts";
import { moduleLaunch } from "./worker-module.ts";
import type { WorkerLaunch } from "./worker-process.ts";
import { Worker, type WorkerOptions } from "./worker-queue.ts";

/** Asks the hook's worker, which is started when there is none. */
export const runWorker: Runner = async (hook, payload, context) => {
  const { action } = hook;
  const vouch = context.vouch(hook);
  const dialect = dialectById(hook.dialect);
  if (!dialect || !isWarm(action)) return plain({ kind: "failed", fault: "unsupported", message: `a ${action.type} hook is no worker` });
  const found = confinementOf(hook, { ...context, cwd: context.projectDir });
  const confine = found instanceof Promise ? await found : found;
  if (typeof confine === "string") return plain({ kind: "failed", fault: "unsupported", message: confine });
  const worker = context.workers.of(hook, () => openWorker(hook, action, { dialect, payload, context, confine }));
  const ran = await worker.ask(hook, payload.stdinText, context.signal);
  const changed = vouch?.changed();
  // It may have read what was never approved, and would go on with it.
  if (typeof changed === "string") worker.renew();
  return unlessChanged(ran, changed);
};

function openWorker(
  hook: Hook,
  action: WarmAction,
  { dialect, payload, context, confine }: { readonly dialect: Dialect; readonly payload: Payload; readonly context: RunContext; readonly confine: Confining },
): Worker {
  const env = workerEnv(hook, payload, context, dialect);
  return new Worker({
    launch: () => withPlace(programOf(action, { context, confine, vouch: context.vouch(hook) }), { env, cwd: context.projectDir }),
    unnamed: (value, asked) => unnamedReading(value, asked, dialect),
    denies: (code) => code === 2 && dialect.exit[2].startsWith("deny"),
    limitBytes: context.limitBytes,
    idleMs: action.worker.idleMs,
    now: context.now,
  });
}

type Program = Pick<WorkerLaunch, "file" | "args" | "windowsVerbatim" | "descriptors">;

interface Start {
  readonly context: RunContext;
  readonly confine: Confining;
  readonly vouch: Vouch | null;
}

/** The guard that a worker leaves behind listens on the first. */
const FIRST_DESCRIPTOR = 4;

/** What to start; a text says why nothing can be. */
function programOf(action: WarmAction, { context, confine, vouch }: Start): Program | NotHeld | string {
  const holding = { tempDir: context.tempDir, vouch, stays: true, firstDescriptor: FIRST_DESCRIPTOR };
  if (action.type === "module") {
    const launch = moduleLaunch(action.module, context);
    return typeof launch === "string" ? launch : confine.wrap({ ...launch, login: false }, { ...holding, needs: launch.needs });
  }
  const windows = process.platform === "win32";
  const held = confine.wrap(launchOf(action, windows ? "windows" : "posix"), holding);
  return "kind" in held ? held : { ...held, windowsVerbatim: windows && action.launch !== "argv" };
}

function withPlace(program: Program | NotHeld | string, place: Pick<WorkerLaunch, "env" | "cwd">): WorkerLaunch | NotHeld | string {
  return typeof program === "string" || "kind" in program ? program : { ...program, ...place };
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
