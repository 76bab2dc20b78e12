/** An engine: a configuration made ready, through which events are fired. */
import { isAbsolute, join, resolve, sep } from "node:path";
// The global of that name is looked up anew at each use, which takes as long as reading the clock.
import { performance } from "node:perf_hooks";
import { loadConfiguration, type Configuration } from "../config/load.ts";
import { ALWAYS, locateConfigs, namedConfig, stateFolder, surroundings, type Surroundings } from "../config/locate.ts";
import type { ConfigSource } from "../config/source.ts";
import type { ManagedPlace } from "../config/managed.ts";
import { permittedMode } from "../config/authority.ts";
import { approvalHook } from "../dialects/approval.ts";
import { DIALECT_LIST, dialectById } from "../dialects/index.ts";
import { nowMs } from "../lib/clock.ts";
import { hostPlatform } from "../lib/host-platform.ts";
import { LAUNCHER_MODES, openLauncher, type LauncherMode } from "../lib/launcher.ts";
import { Lifetime } from "../lib/lifetime.ts";
import { nearest } from "../lib/nearest.ts";
import { OUTPUT_LIMIT_BYTES } from "../lib/process.ts";
import type { Decision } from "../model/decision.ts";
import { SnaphookError } from "../model/errors.ts";
import { EVENTS, type HookEvent } from "../model/events.ts";
import type { Heard } from "../model/heard.ts";
import type { ActionType, Hook } from "../model/hook.ts";
import type { Notice } from "../model/notice.ts";
import type { Recorder } from "../model/recorder.ts";
import type { Mode, Rule } from "../model/rule.ts";
import type { FileView } from "../permissions/scene.ts";
import type { Runner } from "../runners/runner.ts";
import { Workers } from "../runners/worker-pool.ts";
import { openTrust, type TrustOptions } from "../trust/open.ts";
import type { Trust } from "../trust/trust.ts";
import { Background } from "./background.ts";
import { fire, type FireContext, type FireOptions } from "./fire.ts";
import type { Gate, GateOptions } from "./judge.ts";
import { libraryHook, type AnyLibraryHook } from "./library-hook.ts";
import { Plans } from "./plans.ts";
import { recorded } from "./record.ts";
import { buildRegistry, type Registry } from "./registry.ts";
import type { SpillSettings } from "./spill.ts";
import { Standing } from "./standing.ts";

/** What an engine is made from. Nothing is read from the process. */
export interface EngineOptions extends TrustOptions {
  /** The project folder; hooks run here unless an event says otherwise. */
  readonly cwd: string;
  /** The environment that hooks inherit, and in which HOME and the places of configuration are looked up. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Files to read, in order; each may name its dialect. Managed settings hold beside them. Without any, the dialects' own places are searched. */
  readonly configs?: readonly { readonly file: string; readonly dialect?: string }[];
  /** Search the dialects' places. Default: only when no file is named. False: nothing but what is given counts, not even managed settings. */
  readonly discover?: boolean;
  /** Further sources, as plugin discovery finds them. */
  readonly sources?: readonly ConfigSource[];
  /** Refuse to start where something that comes with the project is not trusted. */
  readonly requireTrust?: boolean;
  /** Where managed settings stand, and who must own them. Default: below `/`, root's. */
  readonly managed?: ManagedPlace;
  /** Callbacks that configuration files may name. */
  readonly callbacks?: { readonly [name: string]: unknown };
  /** Hooks given as functions. */
  readonly hooks?: readonly AnyLibraryHook[];
  /** Rules besides those of the files. */
  readonly rules?: readonly Rule[];
  /** The mode where neither an event nor a file says one. */
  readonly mode?: Mode;
  /** Where short-lived files are made. Default: TMPDIR of `env`, else /tmp. */
  readonly tempDir?: string;
  /** What a hook may print. */
  readonly limitBytes?: number;
  /** Puts context that is too large for a model into a file, as sessions do. Default: context is handed on whole. */
  readonly spill?: SpillSettings;
  /** How long all hooks of one event may take together, in milliseconds; the shorter of this and `eventTimeout` of the settings holds. */
  readonly eventTimeoutMs?: number;
  /** How command hooks are started; the results are the same. Default: SNAPHOOK_LAUNCHER of `env`, else as is cheaper. */
  readonly launcher?: LauncherMode;
  /** Runners that stand in for the table's: a session's prompt and agent hooks. */
  readonly runners?: { readonly [type in ActionType]?: Runner };
  /** Takes decisions down before anybody acts on them: an audit log, traces. */
  readonly recorder?: Recorder;
  /** Sees every decision. */
  readonly onDecision?: (decision: Decision, event: HookEvent) => void;
  /** Sees how a hook ended that nobody waited for. */
  readonly onDetached?: (heard: Heard, event: HookEvent) => void;
  /** The process that /proc/self stands for in the paths of calls. Default: this one. */
  readonly self?: number;
}

/** The half of an engine that costs time to make and never changes: engines with the same options may share it. */
export interface Prepared {
  readonly configuration: Configuration;
  readonly trust: Trust;
  readonly registry: Registry;
  readonly plans: Plans;
  readonly hasRules: boolean;
  /** Opens a gate that has not looked at the disk yet; null where there is nothing to judge. */
  readonly openGate: ((self: number | undefined) => Gate) | null;
}

/** A configuration made ready. */
export interface Engine {
  readonly configuration: Configuration;
  readonly registry: Registry;
  /** Absent where neither rules nor a mode nor a condition is configured. */
  readonly gate: Gate | null;
  /** The content hash of a hook, `sha256:…`: what it says, the bytes of its files, the paths of its programs. */
  hashOf(hook: Hook): string;
  /** Judges what else comes with the project: its MCP servers and subagents. */
  readonly trust: Trust;
  /** Fires an event. Rejects only when the signal is aborted or the engine is closed. */
  fire(event: HookEvent, options?: FireOptions): Promise<Decision>;
  /** Resolves when no detached hook is running. */
  settled(): Promise<void>;
  /** Hooks that stay between events end as soon as nobody waits for them: another engine takes over. */
  retire(): void;
  /** Ends what is still running and refuses further events. */
  close(): Promise<void>;
}

/** Reads the configuration and makes an engine of it. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  return engineOf(await prepareEngine(options), options);
}

/** Reads the configuration and makes everything ready that events share. */
export async function prepareEngine(options: EngineOptions): Promise<Prepared> {
  const cwd = resolve(options.cwd);
  const around = surroundings({ cwd, env: options.env, ...(options.managed && { root: options.managed.root }) });
  const { configuration, trust } = await configure(options, cwd, around);
  const hooks = [...approvals(configuration), ...configuration.hooks, ...(options.hooks ?? []).map(libraryHook)];
  const registry = buildRegistry(hooks);
  const rules = [...configuration.rules, ...(options.rules ?? [])];
  const hasRules = rules.length > 0 || configuration.mode !== null || options.mode !== undefined;
  const needsGate = hasRules || hooks.some((hook) => hook.condition !== null);
  const permits = (mode: Mode): Mode => permittedMode(mode, configuration.authority);
  const gate = { rules, mode: configuration.mode ?? options.mode ?? "default", permits, root: cwd, home: around.home };
  return { configuration, trust, registry, plans: new Plans(registry), hasRules, openGate: needsGate ? await gateMaker(gate) : null };
}

/** Makes an engine of what was prepared with the same options. */
export function engineOf({ configuration, trust, registry, plans, hasRules, openGate }: Prepared, options: EngineOptions): Engine {
  const cwd = resolve(options.cwd);
  const gate = openGate?.(options.self) ?? null;
  const env = Object.fromEntries(Object.entries(options.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const background = new Background();
  const lifetime = new Lifetime();
  const workers = new Workers();
  const launcher = openLauncher(options.launcher ?? launcherNamed(options.env["SNAPHOOK_LAUNCHER"]));
  const ran = new Set<Hook>();
  const refused = new Map<Hook, string>();
  const refusal = (hook: Hook, folder: string): string | null => {
    const reason = trust.refusal(hook, folder);
    if (reason === null) refused.delete(hook);
    else refused.set(hook, reason);
    return reason;
  };
  const standing = new Standing(configuration, refused);
  const context: FireContext = {
    plans,
    judge: (event, learned) => (hasRules && EVENTS[event.name].gated ? (gate?.report(event, learned) ?? null) : null),
    meets: (condition, event) => gate?.meets(condition, event) ?? true,
    admits: (hook) => !hook.once || (!ran.has(hook) && ran.add(hook) !== undefined),
    standing,
    onDetached: (heard, event) => {
      options.recorder?.detached(heard, event);
      options.onDetached?.(heard, event);
    },
    onDecision: options.onDecision ?? null,
    lifetime,
    spill: options.spill ? { folder: spillFolder(options.env), now: () => Date.now(), ...options.spill } : null,
    run: {
      env,
      cwd,
      projectDir: cwd,
      tempDir: options.tempDir ?? options.env["TMPDIR"] ?? join(sep, "tmp"),
      now: nowMs,
      date: () => new Date(),
      callbacks: options.callbacks ?? null,
      limitBytes: options.limitBytes ?? OUTPUT_LIMIT_BYTES,
      eventTimeoutMs: shorter(options.eventTimeoutMs ?? null, configuration.eventTimeoutMs),
      launch: async (request) => launcher.run(request),
      runners: options.runners ?? {},
      workers,
      background: (work) => background.add(work),
      refusal,
      vouch: (hook) => trust.vouch(hook),
    },
  };
  let isClosed = false;
  const engine: Engine = {
    configuration,
    registry,
    gate,
    trust,
    hashOf: (hook) => trust.hashOf(hook),
    fire: (event, given) => (isClosed ? Promise.reject(new SnaphookError("SNAP_ENGINE_CLOSED", { event: event.name })) : fire(event, context, given)),
    settled: async () => background.settled(),
    retire: () => workers.retire(),
    close: async () => {
      isClosed = true;
      lifetime.end();
      await Promise.all([background.settled(), workers.close()]);
      launcher.close();
    },
  };
  return recorded(engine, options.recorder, (hook) => trust.hashOf(hook));
}

/** Null where the environment names no folder of the user. */
function spillFolder(env: EngineOptions["env"]): string | null {
  const state = stateFolder(env);
  return isAbsolute(state) ? join(state, "snaphook", "spill") : null;
}

function shorter(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}

function launcherNamed(name: string | undefined): LauncherMode {
  if (name === undefined || name === "") return "auto";
  const mode = LAUNCHER_MODES.find((each) => each === name);
  if (mode === undefined) throw new SnaphookError("SNAP_USAGE", { message: `SNAPHOOK_LAUNCHER "${name}" is none of ${LAUNCHER_MODES.join(", ")}.` });
  return mode;
}

/** How long places of path rules are taken from one look at the disk; the paths of a call are looked up each time. */
const VIEW_AGE_MS = 1_000;

/** The shell grammar and its tables are loaded only where there is something to judge. */
async function gateMaker(options: Pick<GateOptions, "rules" | "mode" | "permits" | "root" | "home">): Promise<NonNullable<Prepared["openGate"]>> {
  const [{ Gate }, { compilePolicy }, { diskFiles }] = await Promise.all([
    import("./judge.ts"),
    import("../permissions/rules.ts"),
    import("../permissions/file-view-disk.ts"),
  ]);
  const policy = compilePolicy(options.rules);
  return (self) => {
    let view = { files: diskFiles(self), madeMs: performance.now() };
    const files = (): FileView => {
      if (performance.now() - view.madeMs > VIEW_AGE_MS) view = { files: diskFiles(self), madeMs: performance.now() };
      return view.files;
    };
    return new Gate({ ...options, policy, platform: hostPlatform(), files });
  };
}

async function configure(options: EngineOptions, cwd: string, around: Surroundings): Promise<{ readonly configuration: Configuration; readonly trust: Trust }> {
  const named = (options.configs ?? []).map(({ file, dialect }) =>
    namedConfig({ file, cwd, dialect: dialect === undefined ? undefined : knownDialect(dialect) }),
  );
  const discover = options.discover ?? named.length === 0;
  const located = discover ? locateConfigs(around) : options.discover === false ? [] : locateConfigs(around, ALWAYS);
  const sources: readonly ConfigSource[] = [...located, ...(options.sources ?? []), ...named];
  const { lock, env, managed } = options;
  const trusting = discover ? options.trust : true;
  const trust = openTrust({
    ...(trusting !== undefined && { trust: trusting }),
    ...(lock !== undefined && { lock: resolve(cwd, lock) }),
    root: cwd,
    home: around.home,
    configDir: around.config,
    env,
  });
  const configuration = await loadConfiguration({ sources, env, trust, envHooksOf: discover ? DIALECT_LIST : [], ...(managed && { managed }) });
  if (options.requireTrust) requireTrust(configuration);
  return { configuration, trust };
}

/** Throws where something that comes with the project was left out for want of trust. */
function requireTrust({ leftOut, notices }: Configuration): void {
  const told = [...leftOut.filter(({ state }) => state !== "overruled").map(({ message }) => message), ...untrustedTexts(notices)];
  const [first] = told;
  if (first === undefined) return;
  const more = told.length > 1 ? ` (and ${told.length - 1} more: \`snaphook list\` shows them)` : "";
  throw new SnaphookError("SNAP_NOT_TRUSTED", { message: `nothing was run: ${first}${more}` });
}

function untrustedTexts(notices: readonly Notice[]): readonly string[] {
  return notices.filter(({ kind }) => kind === "not-trusted").map(({ message }) => message);
}

function knownDialect(id: string): NonNullable<ReturnType<typeof dialectById>> {
  const dialect = dialectById(id);
  if (dialect) return dialect;
  const known = DIALECT_LIST.map((each) => each.id);
  const meant = nearest(id, known);
  throw new SnaphookError("SNAP_UNKNOWN_DIALECT", { name: id, known: known.join(", "), hint: meant === undefined ? "." : `, did you mean "${meant}"?` });
}

/** The built-in approval hook of every dialect that has one and has a file here [W9]. */
function approvals({ approving }: Configuration): readonly Hook[] {
  return approving.flatMap((id) => dialectById(id) ?? []).flatMap((dialect) => approvalHook(dialect) ?? []);
}
