/** All sources → one configuration, with provenance. */
import type { Dialect } from "../dialects/dialect.ts";
import { dialectById } from "../dialects/index.ts";
import type { Hook } from "../model/hook.ts";
import { LAYERS } from "../model/layer.ts";
import type { Notice } from "../model/notice.ts";
import { MODES, type Mode, type Rule } from "../model/rule.ts";
import { VERDICTS } from "../model/verdict.ts";
import { armHook } from "./arm.ts";
import { readConfigFile, type ConfigFile } from "./read.ts";
import { splitCommand } from "./shapes/action.ts";
import { draft } from "./shapes/shape.ts";
import type { ConfigSource } from "./source.ts";

/** Everything that was configured: what the registry is built from. */
export interface Configuration {
  readonly files: readonly ConfigFile[];
  readonly hooks: readonly Hook[];
  readonly disabled: readonly Hook[];
  /** Hooks of layers that are not trusted here. */
  readonly untrusted: readonly Hook[];
  readonly rules: readonly Rule[];
  readonly mode: Mode | null;
  readonly notices: readonly Notice[];
  readonly broken: readonly string[];
  /** Dialects that have a file here, whether or not it holds hooks. */
  readonly speaks: readonly string[];
}

/** What to read, and how far to trust it. */
export interface LoadOptions {
  readonly sources: readonly ConfigSource[];
  readonly env: { readonly [name: string]: string | undefined };
  /** Whether hooks of project, local and plugin layers may run. */
  readonly trusted: boolean;
  /** Dialects whose legacy variables count although they have no file. */
  readonly envHooksOf: readonly Dialect[];
}

/** Layers that come with a repository and need trust. */
const GUEST_LAYERS = ["project", "local", "plugin"];

/** Reads every source. Layers keep their order; within a layer, the order given. */
export async function loadConfiguration({ sources, env, trusted, envHooksOf }: LoadOptions): Promise<Configuration> {
  const files = await Promise.all(sources.map(readConfigFile));
  const speaks = [...new Set(files.flatMap((file) => file.speaks))];
  const notices = files.flatMap((file) => file.notices);
  const mayRun = (file: ConfigFile): boolean => trusted || file.source.named || !GUEST_LAYERS.includes(file.source.layer);
  const found = [...files.filter(mayRun).flatMap((file) => file.hooks), ...(await envHooks(files, { env, speaks, envHooksOf, notices }))];
  const hooks = dropRepeated(inLayerOrder(found), notices);
  return {
    files,
    hooks,
    disabled: files.flatMap((file) => file.disabled),
    untrusted: files.filter((file) => !mayRun(file)).flatMap((file) => file.hooks),
    rules: files.flatMap((file) => (mayRun(file) ? file.rules : withoutGrants(file, notices))),
    mode: combinedMode(files, notices),
    notices,
    broken: files.filter((file) => file.broken).map((file) => file.source.path),
    speaks,
  };
}

/** A folder that is not trusted may tighten, never grant: its deny and ask rules count, its allow rules do not. */
function withoutGrants({ rules, source }: ConfigFile, notices: Notice[]): readonly Rule[] {
  const grants = rules.filter((rule) => rule.verdict === "allow");
  if (grants.length > 0) {
    const many = grants.length > 1;
    notices.push({
      kind: "not-trusted",
      message: `${many ? `${grants.length} allow rules` : "an allow rule"} of ${source.path} ${many ? "were" : "was"} left out: the folder is not trusted. \`snaphook trust\` or --trust lets ${many ? "them" : "it"} count`,
      ...grants[0]?.source,
    });
  }
  return rules.filter((rule) => rule.verdict !== "allow");
}

/** Files named by hand come in the order of the command line: only found ones are sorted, and they are found sorted. */
function inLayerOrder(hooks: readonly Hook[]): readonly Hook[] {
  return hooks.toSorted((left, right) => layerRank(left) - layerRank(right));
}

/** Plugins named by hand stand where they were named, as run-level files do. */
function layerRank({ layer }: Hook): number {
  return Math.min(LAYERS.indexOf(layer), LAYERS.indexOf("plugin"));
}

/** The same command for the same matcher in several files fires once [P6]; the strictest `onFault` of them holds. */
function dropRepeated(hooks: readonly Hook[], notices: Notice[]): readonly Hook[] {
  const kept = new Map<string, Hook>();
  for (const hook of hooks) {
    const key = identity(hook);
    const before = kept.get(key);
    if (!before || (before.source?.file === hook.source?.file && dialectById(hook.dialect)?.repeated === "each")) {
      kept.set(before ? `${key} ${kept.size}` : key, hook);
      continue;
    }
    kept.set(key, { ...before, onFault: VERDICTS[Math.max(VERDICTS.indexOf(before.onFault), VERDICTS.indexOf(hook.onFault))] ?? before.onFault });
    notices.push({
      kind: "duplicate-hook",
      message: `${hook.name} is configured for ${hook.wireName} in ${before.source?.file ?? "?"} already; it runs once`,
      hook: hook.name,
      ...hook.source,
    });
  }
  return [...kept.values()];
}

/** What makes two hooks the same: what they do, when, and in whose words. */
export function identity({ dialect, wireName, matcher, condition, action, env, plugin }: Hook): string {
  const matches = matcher.kind === "pattern" ? matcher.text : matcher;
  return JSON.stringify([dialect, wireName, matches, condition, action, env, plugin?.root]);
}

/** A hook in a variable (Goose's legacy one), used when its event has no hook in any file [G2]. */
async function envHooks(
  files: readonly ConfigFile[],
  { env, speaks, envHooksOf, notices }: { env: LoadOptions["env"]; speaks: readonly string[]; envHooksOf: readonly Dialect[]; notices: Notice[] },
): Promise<Hook[]> {
  const dialects = [...new Set([...envHooksOf, ...speaks.flatMap((id) => dialectById(id) ?? [])])];
  const armed = await Promise.all(
    dialects.map(async (dialect) => {
      const { envHook } = dialect;
      const command = envHook && env[envHook.variable];
      if (!envHook || !command) return undefined;
      if (files.some((file) => file.hooks.some((hook) => hook.dialect === dialect.id && hook.wireName === envHook.wireName))) return undefined;
      const args = splitCommand(command);
      if (typeof args === "string") {
        notices.push({ kind: "bad-command", message: `${envHook.variable}: ${args}; it is not run` });
        return undefined;
      }
      const source: ConfigSource = { path: `$${envHook.variable}`, layer: "user", dialects: [dialect], plugin: null, named: false };
      const at = { line: 1, column: 1 };
      const entry = draft(at, command, { type: "command", launch: dialect.launch, command, args });
      return armHook(entry, { dialect, wireName: envHook.wireName, source, report: () => {} });
    }),
  );
  return armed.filter((hook) => hook !== undefined);
}

/** The owner's layers set the mode, the last one wins; a repository's may only tighten it [W1]. */
function combinedMode(files: readonly ConfigFile[], notices: Notice[]): Mode | null {
  let mode: Mode | null = null;
  for (const file of files) if (file.mode && !GUEST_LAYERS.includes(file.source.layer)) mode = file.mode;
  for (const { mode: wanted, source } of files.filter((file) => GUEST_LAYERS.includes(file.source.layer))) {
    const before = mode ?? "default";
    if (!wanted) continue;
    mode = MODES.indexOf(wanted) < MODES.indexOf(before) ? wanted : before;
    if (mode !== wanted)
      notices.push({
        kind: "not-trusted",
        message: `defaultMode ${wanted} of ${source.path} was left out: a project may only tighten the mode, which is ${before}`,
        file: source.path,
        line: 1,
        column: 1,
      });
  }
  return mode;
}
