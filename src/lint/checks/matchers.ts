/** Matchers that decide nothing, or that no event can meet. Agents have tools of their own, so an unknown name alone is no mistake. */
import type { Dialect } from "../../dialects/dialect.ts";
import { dialectById } from "../../dialects/index.ts";
import { canonicalName, matcherNames } from "../../dialects/spelling.ts";
import { nearest } from "../../lib/nearest.ts";
import { EVENTS, type EventName, type Subject } from "../../model/events.ts";
import type { Hook, Matcher } from "../../model/hook.ts";
import { TOOLS } from "../../model/tools.ts";
import { parseRule } from "../../permissions/rules.ts";
import type { Check } from "../check.ts";
import { noticeAbout } from "../check.ts";

/** Matchers under which a hook never runs, or runs although they say otherwise. */
export const matchers: Check = {
  finds: "matchers that no event can meet, and matchers on events that have nothing to match",
  run: ({ hooks }) =>
    hooks.flatMap(({ hook, matcherAt }) => {
      const dialect = dialectById(hook.dialect);
      if (!dialect || hook.matcher.kind === "all") return [];
      return problemsOf(hook, hook.matcher, dialect).map((message) => noticeAbout(hook, { kind: "unreachable-matcher", message }, matcherAt));
    }),
};

/** The words that events without a tool are known to be matched by; other words may come from other agents. */
const SUBJECT_WORDS: { readonly [event in EventName]?: readonly string[] } = {
  "session.start": ["startup", "resume", "clear", "compact"],
  "session.end": ["clear", "logout", "prompt_input_exit", "bypass_permissions_disabled", "other"],
  "compact.before": ["manual", "auto"],
  "compact.after": ["manual", "auto"],
  setup: ["init", "maintenance"],
  notification: ["permission_prompt", "idle_prompt", "auth_success", "elicitation_dialog"],
};

type Words = Exclude<Matcher, { kind: "all" }>;

function problemsOf(hook: Hook, matcher: Words, dialect: Dialect): readonly string[] {
  const key = dialect.matcher.key ?? "matcher";
  const shown = `${key} ${JSON.stringify(matcherText(matcher))}`;
  const subject = subjectOf(hook, dialect);
  if (subject === null) return [`${shown} has no effect: ${hook.wireName} has nothing to match, so this hook runs every time. Remove it`];
  if (subject !== "tool") return wordProblems(hook, matcher, { shown, subject });
  const known = toolNames(dialect);
  const rule = ruleInPlaceOfName(matcher, known);
  if (rule !== undefined)
    return [
      `${shown} never matches: it is tested against the tool's name alone. Write ${key} ${JSON.stringify(rule)}, and the pattern as "if" or in the hook itself`,
    ];
  return alternatives(matcher)
    .flatMap((name) => nameProblem(name, matcher, known) ?? [])
    .map((problem) => `${shown}: ${problem}`);
}

/** What the hook's events are matched by; a dialect may match tools only. */
function subjectOf({ events }: Hook, dialect: Dialect): Subject | null {
  const subjects = events.map((event) => EVENTS[event].subject).filter((subject) => dialect.matcher.on === "subject" || subject === "tool");
  return subjects.find((subject) => subject !== null) ?? null;
}

function nameProblem(name: string, matcher: Words, known: readonly string[]): string | undefined {
  const meets = (each: string): boolean => (matcher.kind === "names" ? each === name : each.includes(name));
  if (known.some(meets)) return undefined;
  if (name.startsWith("mcp__")) {
    const whole = matcher.kind === "pattern" || name.slice("mcp__".length).includes("__");
    return whole ? undefined : `${name} is a server, and names are matched whole. Write ${name}__.* for all its tools`;
  }
  const meant = nearest(name, known);
  return meant === undefined ? undefined : `no tool is called ${name}, did you mean ${meant}?`;
}

function wordProblems(
  { wireName, events }: Hook,
  matcher: Words,
  { shown, subject }: { readonly shown: string; readonly subject: Subject },
): readonly string[] {
  const words = events.flatMap((event) => SUBJECT_WORDS[event] ?? []);
  return alternatives(matcher).flatMap((name) => {
    if (words.some((word) => word.includes(name))) return [];
    if (subject !== "agent" && canonicalName(name) !== undefined) {
      return [
        `${shown} never matches: ${wireName} is matched by its ${subject}${words.length > 0 ? ` (${words.join(", ")})` : ""}, not by a tool. Remove it to run every time`,
      ];
    }
    const meant = nearest(name, words);
    return meant === undefined ? [] : [`${shown}: ${wireName} has no ${subject} ${name}, did you mean ${meant}?`];
  });
}

/** `Bash(git push *)` in the place of a name: as a pattern it asks for a tool called "Bashgit push". */
function ruleInPlaceOfName(matcher: Words, known: readonly string[]): string | undefined {
  if (matcher.kind !== "pattern" || known.some((name) => matcher.test(name))) return undefined;
  const rule = /^\w+\(.+\)$/.test(matcher.text) ? parseRule(matcher.text) : undefined;
  return rule?.kind === "rule" && known.includes(rule.written) ? rule.written : undefined;
}

/** The plain names of a list or of a simple pattern as `^(Bash|Write)$`; what is more than a name is left out. */
function alternatives(matcher: Words): readonly string[] {
  if (matcher.kind === "names") return matcher.names;
  const inner = matcher.text
    .replace(/^\^/, "")
    .replace(/\$$/, "")
    .replace(/^\((?:\?:)?([^()]*)\)$/, "$1");
  return inner
    .split("|")
    .map((part) => part.trim().replace(/^\^|\$$/g, ""))
    .filter((part) => /^\w+$/.test(part));
}

function matcherText(matcher: Words): string {
  return matcher.kind === "names" ? matcher.names.join("|") : matcher.text;
}

/** Every name by which a matcher of this dialect may know a tool; its own spellings first. */
function toolNames(dialect: Dialect): readonly string[] {
  const lists = Object.keys(TOOLS).map((name) => matcherNames({ name, input: {} }, dialect));
  return [...new Set([...lists.map(([own = ""]) => own), ...lists.flat()])];
}
