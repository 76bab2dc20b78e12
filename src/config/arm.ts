/** A draft → a hook that is ready to run: its matcher compiled, the dialect's defaults filled in. */
import type { Dialect, DialectEvent, MatcherRule } from "../dialects/dialect.ts";
import { lookup } from "../lib/json.ts";
import { compilePattern } from "../lib/pattern.ts";
import { completePolicy } from "../model/failure.ts";
import type { Hook, Matcher } from "../model/hook.ts";
import type { Report } from "./entry.ts";
import type { HookDraft } from "./shapes/shape.ts";
import type { ConfigSource } from "./source.ts";

interface ArmContext {
  readonly dialect: Dialect;
  readonly wireName: string;
  readonly source: ConfigSource;
  readonly report: Report;
}

/** Undefined, after a report, when the hook can't be armed. */
export async function armHook(draft: HookDraft, { dialect, wireName, source, report }: ArmContext): Promise<Hook | undefined> {
  const row = lookup<DialectEvent>(dialect.events, wireName);
  if (!row) return undefined;
  const matcher = await compileMatcher(draft.matcher, dialect.matcher.rule);
  if (matcher.kind === "bad") {
    report(draft.matcherAt, {
      kind: "bad-pattern",
      message: `${dialect.matcher.key ?? "matcher"} ${JSON.stringify(draft.matcher)} is not a valid pattern: ${matcher.message}.  This hook is off; the others are on.`,
    });
    return undefined;
  }
  return {
    name: draft.name,
    dialect: dialect.id,
    wireName,
    events: row.is,
    layer: source.layer,
    source: { file: source.path, ...draft.at },
    matcher,
    condition: draft.condition,
    action: draft.action,
    timeoutMs: draft.timeoutMs ?? row.timeoutMs ?? dialect.timeoutMs,
    onFault: completePolicy(draft.onFault, source.layer === "managed" ? "deny" : dialect.onFault),
    once: draft.once,
    async: draft.async,
    yields: false,
    env: draft.env,
    passEnv: draft.passEnv,
    sandbox: { said: draft.sandbox, level: draft.sandbox ?? "none", by: null },
    plugin: source.plugin,
  };
}

/** Letters, digits, `_`, `-`, `|`, `,` and blanks only: a list of exact names. */
const NAME_LIST = /^[\w\-|, ]*$/;

type CompiledMatcher = Matcher | { readonly kind: "bad"; readonly message: string };

async function compileMatcher(text: string | null, rule: MatcherRule): Promise<CompiledMatcher> {
  if (text === null || rule === "none" || text.trim() === "" || text === "*") return { kind: "all" };
  if (rule !== "regex" && (NAME_LIST.test(text) || (rule === "names-or-regex" && /^[\w.\-|, ]*$/.test(text)))) {
    return {
      kind: "names",
      names: text
        .split(/[|,]/)
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    };
  }
  const pattern = await compilePattern(text);
  return pattern.kind === "bad" ? pattern : { kind: "pattern", text, test: pattern.test };
}
