/** A decision → the rows of its timeline: one for each hook and one for the gate, in the order in which they spoke. */
import { dialectById } from "../../dialects/index.ts";
import type { Effect } from "../../model/outcome.ts";
import { shortPath, shortPaths, type Folders } from "../render/paths.ts";
import { cleanLine, cleanText } from "./clean.ts";
import type { DecisionView, HookView } from "./decision-view.ts";

/** One line of a timeline, before it is laid out. */
export interface Row {
  /** The wire event, or who else speaks: a rule, the mode, an approver. */
  readonly who: string;
  readonly name: string;
  /** The verdict, else what the hook did, in one word. */
  readonly word: string;
  readonly durationMs: number | null;
  readonly place: string;
  /** Reason, text or fault; may have several lines. */
  readonly says: string;
}

/** The rows of one event; the gate stands between the hooks asked before it and those asked after it. */
export function rowsOf(decision: DecisionView, { event, folders }: { readonly event: string; readonly folders: Folders }): readonly Row[] {
  const rows = decision.hooks.map((hook, index) => ({ late: isLate(hook), row: hookRow(hook, { event, folders, effects: effectsOf(decision, index) }) }));
  const pick = (late: boolean): readonly Row[] => rows.filter((each) => each.late === late).map((each) => each.row);
  return [...pick(false), ...(decision.gate ? [gateRow(decision.gate, folders)] : []), ...pick(true), ...unattributed(decision)];
}

/** The hook that rewrote the input last: known, or the only one that can have been it. */
export function rewriter({ hooks, effects }: DecisionView): string {
  const known = effects?.findLast(({ effect }) => effect.kind === "input");
  const able = hooks.filter(({ ended, fault, source }) => fault === null && source !== null && (ended === "exited" || ended === "returned"));
  const hook = known ? hooks[known.hook] : able.length === 1 ? able[0] : undefined;
  return hook ? shortName(hook.name) : "a hook";
}

/** How the dialect of a hook spells an event; the canonical name where it has no word for it. */
export function wireNameOf(dialect: string, event: string): string {
  const rows = Object.entries(dialectById(dialect)?.events ?? {});
  return rows.find(([, row]) => row.is.some((name) => name === event))?.[0] ?? event;
}

/** The script of a command, for a narrow column; the place tells the rest. */
export function shortName(name: string): string {
  const script = (name.split(/[<>|&;]/)[0] ?? "")
    .split(/\s+/)
    .slice(0, SCRIPT_WORDS)
    .find((word) => /^[\w./~$-]+\.[a-z]\w*$/i.test(word));
  return cleanLine(script?.split("/").at(-1) ?? name);
}

/** `file:line`, as short as people write it. */
export function placeText({ file, line }: { readonly file: string; readonly line?: number | undefined }, folders: Folders): string {
  return `${cleanLine(shortPath(file, folders))}${line === undefined ? "" : `:${line}`}`;
}

/** A script stands among the first words of its command: `sh x.sh`, `python3 -u x.py`. What comes later is an argument. */
const SCRIPT_WORDS = 3;

function isLate({ dialect }: HookView): boolean {
  return dialectById(dialect)?.gate === "permission-first";
}

function effectsOf({ effects }: DecisionView, index: number): readonly Effect[] {
  return (effects ?? []).filter(({ hook }) => hook === index).map(({ effect }) => effect);
}

function hookRow(hook: HookView, { event, folders, effects }: { event: string; folders: Folders; effects: readonly Effect[] }): Row {
  const words =
    hook.fault?.message ??
    hook.reason ??
    effects
      .map(effectText)
      .filter((text) => text !== "")
      .join("\n");
  return {
    who: wireNameOf(hook.dialect, event),
    name: shortName(hook.name),
    word: wordOf(hook, effects),
    durationMs: hook.ended === "skipped" || hook.ended === "detached" ? null : hook.durationMs,
    place: hook.source ? placeText(hook.source, folders) : "built in",
    says: shortPaths(cleanText(words).trim(), folders),
  };
}

const EFFECT_WORDS: { readonly [kind in Effect["kind"]]: string } = {
  context: "context",
  feedback: "feedback",
  input: "rewrite",
  rule: "rule",
  message: "message",
  interrupt: "stop",
};

/** A denial, a question or a fault is what matters; after that what it did; an allow alone comes last. */
function wordOf({ verdict, fault, ended }: HookView, [effect]: readonly Effect[]): string {
  if (fault) return "fault";
  if (verdict === "deny" || verdict === "ask") return verdict;
  if (ended === "skipped" || ended === "detached") return ended;
  return effect ? EFFECT_WORDS[effect.kind] : (verdict ?? "–");
}

function effectText(effect: Effect): string {
  switch (effect.kind) {
    case "context":
    case "feedback":
    case "message":
      return effect.text;
    case "input":
      return "";
    case "rule":
      return `allowed for this session: ${effect.allow}`;
    case "interrupt":
      return effect.reason ?? "the turn ends";
  }
}

/** What was said, where it is not known by whom. */
function unattributed({ effects, context, feedback, messages, rules }: DecisionView): readonly Row[] {
  if (effects) return [];
  const row =
    (who: string) =>
    (text: string): Row => ({ who, name: "", word: "", durationMs: null, place: "", says: cleanText(text).trim() });
  return [...context.map(row("context")), ...feedback.map(row("feedback")), ...messages.map(row("message")), ...rules.map(row("rule"))];
}

/** The gate's sentence in columns where it names one rule, else as it stands. */
function gateRow({ verdict, because, step, mode }: NonNullable<DecisionView["gate"]>, folders: Folders): Row {
  const rule = /^\w+ (?:by|because of) the \w+ rule (.+?)(?: at (.+):(\d+):\d+)?\.$/s.exec(because);
  const base = { word: verdict, durationMs: null, place: "", says: "" };
  if (rule)
    return {
      ...base,
      who: "rule",
      name: cleanLine(rule[1] ?? ""),
      place: rule[2] === undefined ? "this session" : placeText({ file: rule[2], line: Number(rule[3]) }, folders),
    };
  if (step === "mode") return { ...base, who: "mode", name: mode };
  return { ...base, who: "rule", name: "", says: shortPaths(cleanText(because), folders) };
}
