/** What settings above a hook impose on it: where it may be sent, and which sandbox holds it. Pure. */
import { SANDBOX_LEVELS, type SandboxLevel } from "../lib/sandbox-level.ts";
import type { Hook } from "../model/hook.ts";
import type { Source } from "../model/source.ts";
import { boundBy } from "./authority.ts";
import { withUrlLists } from "./http-urls.ts";
import type { ConfigFile } from "./read.ts";

/** The file with its hooks as the terms of all files leave them. */
export function withTerms(file: ConfigFile, files: readonly ConfigFile[]): ConfigFile {
  const sent = withUrlLists(file, files);
  return files.some(({ terms }) => terms.sandbox) ? { ...sent, hooks: sent.hooks.map((hook) => confinedHook(hook, files)) } : sent;
}

/** A hook in its sandbox: as its entry or its own layer says, and at least as closed as every layer above it wants. */
export function confinedHook(hook: Hook, files: readonly ConfigFile[]): Hook {
  const wanted = boundBy({ layer: hook.layer, path: hook.source?.file ?? "" }, files).flatMap(({ source, terms }) => {
    const isDefault = source.layer === hook.layer;
    return terms.sandbox && !(isDefault && hook.sandbox.said !== null) ? [terms.sandbox] : [];
  });
  const start: { level: SandboxLevel; source: Source | null } = { level: hook.sandbox.said ?? "none", source: null };
  const { level, source } = wanted.reduce<typeof start>((closed, each) => (rank(each.level) > rank(closed.level) ? each : closed), start);
  return level === hook.sandbox.level ? hook : { ...hook, sandbox: { ...hook.sandbox, level, by: source } };
}

function rank(level: SandboxLevel): number {
  return SANDBOX_LEVELS.indexOf(level);
}
