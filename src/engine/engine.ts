/** An engine: a configuration made ready, through which events are fired. */
import { join, resolve } from "node:path";
import { loadConfiguration, type Configuration } from "../config/load.ts";
import { locateConfigs, namedConfig, surroundings, type Surroundings } from "../config/locate.ts";
import type { ConfigSource } from "../config/source.ts";
import { isTrusted } from "../config/trust.ts";
import { approvalHook } from "../dialects/approval.ts";
import { DIALECT_LIST, dialectById } from "../dialects/index.ts";
import { linkSignals } from "../lib/abort.ts";
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
import { Background } from "./background.ts";
import { fire, type FireContext } from "./fire.ts";
import type { Gate, GateOptions } from "./judge.ts";
import { libraryHook, type AnyLibraryHook } from "./library-hook.ts";
import type { Floor } from "./merge.ts";
import { recorded } from "./record.ts";
import { buildRegistry, type Registry } from "./registry.ts";

/** What an engine is made from. Nothing is read from the process. */
export interface EngineOptions {
  /** The project folder; hooks run here unless an event says otherwise. */
  readonly cwd: string;
  /** The environment that hooks inherit, and in which HOME and the places of configuration are looked up. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Files to read, in order; each may name its dialect. Without any, the dialects' own places are searched. */
  readonly configs?: readonly { readonly file: string; readonly dialect?: string }[];
  /** Search the dialects' places. Default: only when no file is named. */
  readonly discover?: boolean;
  /** Further sources, as plugin discovery finds them. */
  readonly sources?: readonly ConfigSource[];
  /** Whether hooks that come with the project may run. Default: as `snaphook trust` and SNAPHOOK_TRUST say. */
  readonly trust?: boolean;
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
  /** Runners that stand in for the table's: a session's prompt and agent hooks. */
  readonly runners?: { readonly [type in ActionType]?: Runner };
  /** Takes decisions down before anybody acts on them: an audit log, traces. */
  readonly recorder?: Recorder;
  /** Sees every decision. */
  readonly onDecision?: (decision: Decision, event: HookEvent) => void;
  /** Sees how a hook ended that nobody waited for. */
  readonly onDetached?: (heard: Heard, event: HookEvent) => void;
}

/** What one fire may bring along. */
export interface FireOptions {
  readonly signal?: AbortSignal;
  /** Rules that a session learned; keep the array to have it compiled once. */
  readonly learned?: readonly Rule[];
}

/** A configuration made ready. */
export interface Engine {
  readonly configuration: Configuration;
  readonly registry: Registry;
  /** Absent where neither rules nor a mode nor a condition is configured. */
  readonly gate: Gate | null;
  /** Fires an event. Rejects only when the signal is aborted or the engine is closed. */
  fire(event: HookEvent, options?: FireOptions): Promise<Decision>;
  /** Resolves when no detached hook is running. */
  settled(): Promise<void>;
  /** Ends what is still running and refuses further events. */
  close(): Promise<void>;
}

/** Reads the configuration and makes an engine of it. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const cwd = resolve(options.cwd);
  const around = surroundings({ cwd, env: options.env });
  const configuration = await configure(options, cwd, around);
  const hooks = [...approvals(configuration), ...configuration.hooks, ...(options.hooks ?? []).map(libraryHook)];
  const registry = buildRegistry(hooks);
  const rules = [...configuration.rules, ...(options.rules ?? [])];
  const hasRules = rules.length > 0 || configuration.mode !== null || options.mode !== undefined;
  const needsGate = hasRules || hooks.some((hook) => hook.condition !== null);
  const gate = needsGate ? await openGate({ rules, mode: configuration.mode ?? options.mode ?? "default", root: cwd, home: around.home }) : null;
  const env = Object.fromEntries(Object.entries(options.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const background = new Background();
  const closing = linkSignals();
  const ran = new Set<Hook>();
  const context = (signal: AbortSignal, learned: readonly Rule[] | undefined): FireContext => ({
    registry,
    judge: (event) => (hasRules && EVENTS[event.name].gated ? (gate?.report(event, learned) ?? null) : null),
    meets: (condition, event) => gate?.meets(condition, event) ?? true,
    admits: (hook) => !hook.once || (!ran.has(hook) && ran.add(hook) !== undefined),
    floors: (event, heard) => floorsOf(event, heard, configuration),
    notices: (event) => noticesFor(event, configuration),
    onDetached: (heard, event) => {
      options.recorder?.detached(heard, event);
      options.onDetached?.(heard, event);
    },
    lifetime: closing.signal,
    run: {
      env,
      cwd,
      projectDir: cwd,
      tempDir: options.tempDir ?? options.env["TMPDIR"] ?? join(around.root, "tmp"),
      signal,
      now: () => performance.now(),
      date: () => new Date(),
      callbacks: options.callbacks ?? null,
      limitBytes: options.limitBytes ?? OUTPUT_LIMIT_BYTES,
      runners: options.runners ?? {},
      background: (work) => background.add(work),
    },
  });
  const engine: Engine = {
    configuration,
    registry,
    gate,
    fire: async (event, { signal, learned } = {}) => {
      if (closing.signal.aborted) throw new SnaphookError("SNAP_ENGINE_CLOSED", { event: event.name });
      const link = linkSignals(closing.signal, ...(signal ? [signal] : []));
      try {
        const decision = await fire(event, context(link.signal, learned));
        options.onDecision?.(decision, event);
        return decision;
      } finally {
        link.unlink();
      }
    },
    settled: async () => background.settled(),
    close: async () => {
      closing.abort();
      await background.settled();
    },
  };
  return recorded(engine, options.recorder);
}

/** How long places of path rules are taken from one look at the disk; the paths of a call are looked up each time. */
const VIEW_AGE_MS = 1_000;

/** The shell grammar and its tables are loaded only where there is something to judge. */
async function openGate(options: Pick<GateOptions, "rules" | "mode" | "root" | "home">): Promise<Gate> {
  const [{ Gate }, { diskFiles }] = await Promise.all([import("./judge.ts"), import("../permissions/file-view-disk.ts")]);
  const platform = process.platform === "win32" ? "windows" : process.platform === "darwin" ? "case-insensitive" : "posix";
  let view = { files: diskFiles(), madeMs: performance.now() };
  const files = (): FileView => {
    if (performance.now() - view.madeMs > VIEW_AGE_MS) view = { files: diskFiles(), madeMs: performance.now() };
    return view.files;
  };
  return new Gate({ ...options, platform, files });
}

async function configure(options: EngineOptions, cwd: string, around: Surroundings): Promise<Configuration> {
  const named = (options.configs ?? []).map(({ file, dialect }) =>
    namedConfig({ file, cwd, dialect: dialect === undefined ? undefined : knownDialect(dialect) }),
  );
  const discover = options.discover ?? named.length === 0;
  const sources: readonly ConfigSource[] = [...(discover ? locateConfigs(around) : []), ...(options.sources ?? []), ...named];
  const trusted = !discover || (options.trust ?? (await isTrusted({ folder: cwd, configDir: around.config, env: options.env })));
  return loadConfiguration({ sources, env: options.env, trusted, envHooksOf: discover ? DIALECT_LIST : [] });
}

function knownDialect(id: string): NonNullable<ReturnType<typeof dialectById>> {
  const dialect = dialectById(id);
  if (dialect) return dialect;
  const known = DIALECT_LIST.map((each) => each.id);
  const meant = nearest(id, known);
  throw new SnaphookError("SNAP_UNKNOWN_DIALECT", { name: id, known: known.join(", "), hint: meant === undefined ? "." : `, did you mean "${meant}"?` });
}

/** The built-in approval hook of every dialect that has one and has a file here [W9]. */
function approvals({ speaks }: Configuration): readonly Hook[] {
  return speaks.flatMap((id) => dialectById(id) ?? []).flatMap((dialect) => approvalHook(dialect) ?? []);
}

/** A guard that could not be read, or that may have seen only part of a call, makes the call a question. */
function floorsOf(event: HookEvent, heard: readonly Heard[], { broken }: Configuration): readonly Floor[] {
  if (!EVENTS[event.name].gated) return [];
  const stubbed = heard.filter(({ run }) => run.stubbed.length > 0);
  return [
    ...broken.map((file): Floor => ({ verdict: "ask", reason: `${file} can't be read, so a guard in it may be missing` })),
    ...stubbed.map(({ hook }): Floor => ({ verdict: "ask", reason: `the input did not fit into a variable, so ${hook.name} may not have seen all of it` })),
  ];
}

/** Problems of the configuration are told with every decision; the hooks left out, with the events they were for. */
function noticesFor(event: HookEvent, { notices, untrusted }: Configuration): readonly Notice[] {
  const left = untrusted.filter((hook) => hook.events.includes(event.name));
  return [
    ...notices,
    ...left.map((hook): Notice => ({
      kind: "not-trusted",
      message: `${hook.name} comes with this folder, which is not trusted; it was left out. \`snaphook trust\` or --trust lets it run`,
      hook: hook.name,
      ...hook.source,
    })),
  ];
}
