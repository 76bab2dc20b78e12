/** All sources → one configuration, with provenance. */
import type { Dialect } from "../dialects/dialect.ts";
import { dialectById } from "../dialects/index.ts";
import type { EventName } from "../model/events.ts";
import { stricterPolicy } from "../model/failure.ts";
import type { Hook } from "../model/hook.ts";
import { LAYERS } from "../model/layer.ts";
import type { Notice } from "../model/notice.ts";
import type { Mode, Rule } from "../model/rule.ts";
import { leftOutText, whyNot, type Standing } from "../trust/standing.ts";
import type { Trust } from "../trust/trust.ts";
import { armHook } from "./arm.ts";
import { authorityOf, combinedMode, isGuest, overruled, permittedRules, type Authority } from "./authority.ts";
import { approvingDialects, countingRules, judgeGuests, withoutRedirections } from "./guests.ts";
import { combinedEventTimeout } from "./event-timeout.ts";
import { managedRefusal, SYSTEM_PLACE, type ManagedPlace } from "./managed.ts";
import { readConfigFile, unreadFile, type ConfigFile } from "./read.ts";
import { splitCommand } from "./shapes/action.ts";
import { confinedHook, withTerms } from "./impose.ts";
import { draft } from "./shapes/shape.ts";
import type { ConfigSource } from "./source.ts";

/** A hook that is configured and does not run. */
export interface LeftOut {
  readonly hook: Hook;
  /** `overruled`: a layer above it says so. */
  readonly state: Exclude<Standing["kind"], "trusted"> | "overruled";
  readonly reason: string;
  /** What a decision says about it. */
  readonly message: string;
}

/** Everything that was configured: what the registry is built from. */
export interface Configuration {
  readonly files: readonly ConfigFile[];
  readonly hooks: readonly Hook[];
  readonly disabled: readonly Hook[];
  /** Hooks that are not trusted here, or that a layer above them rules out. */
  readonly leftOut: readonly LeftOut[];
  readonly rules: readonly Rule[];
  readonly mode: Mode | null;
  readonly authority: Authority;
  /** How long all hooks of one event may take together; null: nobody says. */
  readonly eventTimeoutMs: number | null;
  readonly notices: readonly Notice[];
  readonly broken: readonly string[];
  /** Dialects that have a file here, whether or not it holds hooks. */
  readonly speaks: readonly string[];
  /** Those of them whose built-in approvals count. */
  readonly approving: readonly string[];
}

/** What to read, and how far to trust it. */
export interface LoadOptions {
  readonly sources: readonly ConfigSource[];
  readonly env: { readonly [name: string]: string | undefined };
  /** Judges what comes with a repository. */
  readonly trust: Trust;
  /** Dialects whose legacy variables count although they have no file. */
  readonly envHooksOf: readonly Dialect[];
  /** Where managed files stand, and who must own them. */
  readonly managed?: ManagedPlace;
}

/** Reads every source. Layers keep their order; within a layer, the order given. */
export async function loadConfiguration({ sources, env, trust, envHooksOf, managed = SYSTEM_PLACE }: LoadOptions): Promise<Configuration> {
  const read = await Promise.all(sources.map(async (source) => readWithAuthority(source, managed)));
  const notices = read.flatMap((file) => file.notices);
  const files = read.map((file) => withTerms(withoutRedirections(file, notices), read));
  const speaks = [...new Set(files.flatMap((file) => file.speaks))];
  const authority = authorityOf(files);
  const judged = judgeGuests(files, trust);
  notices.push(...trust.problems.map((message): Notice => ({ kind: "not-trusted", message })));
  const guests = new Set(files.filter(isGuest).flatMap((file) => file.hooks));
  const leftOut: LeftOut[] = [];
  const mayRun = (hook: Hook): boolean => {
    const reason = overruled(hook, { isGuest: guests.has(hook), authority });
    const standing = judged.hook(hook);
    if (reason !== null) leftOut.push({ hook, state: "overruled", reason, message: `${hook.name} was left out: ${reason}` });
    else if (standing.kind !== "trusted")
      leftOut.push({ hook, state: standing.kind, reason: whyNot(standing) ?? "", message: leftOutText(hook.name, standing) });
    return reason === null && standing.kind === "trusted";
  };
  const found = [
    ...files.flatMap((file) => file.hooks),
    ...(await envHooks(files, { env, speaks, envHooksOf, notices })).map((hook) => confinedHook(hook, files)),
  ].filter(mayRun);
  const rules = files.flatMap((file) => countingRules(file, judged, notices));
  return {
    files,
    hooks: dropRepeated(inLayerOrder(found), notices),
    disabled: files.flatMap((file) => file.disabled),
    leftOut,
    rules: permittedRules(rules, authority, notices),
    mode: combinedMode(files, authority, notices),
    authority,
    eventTimeoutMs: combinedEventTimeout(files, notices),
    notices,
    broken: files.filter((file) => file.broken).map((file) => file.source.path),
    speaks,
    approving: authority.managedHooksOnly || authority.hooksDisabled ? [] : approvingDialects(files, judged, notices),
  };
}

/** Hooks of an event that were approved and are not what they were. Which calls a changed entry was for is not asked: that may have changed too. */
export function lostGuards({ leftOut }: Configuration, event: EventName): readonly LeftOut[] {
  return leftOut.filter(({ hook, state }) => (state === "changed" || state === "refused") && hook.events.includes(event));
}

/** A managed file that others could have written has no authority: nothing in it counts, and its guards may be missing. */
async function readWithAuthority(source: ConfigSource, managed: ManagedPlace): Promise<ConfigFile> {
  const refusal = source.layer === "managed" && !source.named ? managedRefusal(source.path, managed) : null;
  return refusal === null ? readConfigFile(source) : unreadFile(source, `${source.path} is refused as managed settings: ${refusal}`);
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
    kept.set(key, { ...before, onFault: stricterPolicy(before.onFault, hook.onFault) });
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
