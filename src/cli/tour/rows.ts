/** A decision → the rows of its timeline: one for each hook and one for the gate, in the order in which they spoke. */
import { dialectById } from "../../dialects/index.ts";
import type { Decision, GateReport, HookReport } from "../../model/decision.ts";
import type { Effect } from "../../model/outcome.ts";
import type { Heard } from "../../model/heard.ts";

/** One line of a timeline, before it is laid out. */
export interface Row {
  /** Who speaks: a dialect, or the gate. */
  readonly who: string;
  readonly name: string;
  /** The verdict, else what the hook did, in one word. */
  readonly word: string;
  readonly durationMs: number | null;
  readonly source: string;
  /** Reason, text or fault. */
  readonly says: string;
}

/** What is known of an event beyond its decision. */
export interface RowContext {
  /** How the hooks ended that nobody waited for. */
  readonly detached: readonly Heard[];
  /** The folder that places are shown relative to. */
  readonly root: string;
}

/** The rows; the gate stands between the hooks asked before it and those asked after it. */
export function rowsOf(decision: Decision, context: RowContext): readonly Row[] {
  const rows = decision.hooks.map((hook, index) => ({ late: isLate(hook), row: hookRow(hook, effectsOf(decision, index), context) }));
  const pick = (late: boolean): Row[] => rows.filter((each) => each.late === late).map((each) => each.row);
  return [...pick(false), ...(decision.gate ? [gateRow(decision.gate, context)] : []), ...pick(true)];
}

function isLate({ dialect }: HookReport): boolean {
  return dialectById(dialect)?.gate === "permission-first";
}

function effectsOf({ effects }: Decision, index: number): readonly Effect[] {
  return effects.filter(({ hook }) => hook === index).map(({ effect }) => effect);
}

function hookRow(hook: HookReport, effects: readonly Effect[], { detached, root }: RowContext): Row {
  const later = detached.find((heard) => heard.hook.name === hook.name && heard.hook.dialect === hook.dialect);
  const fault = hook.fault ?? later?.outcome.fault ?? null;
  return {
    who: hook.dialect,
    name: shortName(hook),
    word: wordOf(hook, effects),
    durationMs: hook.ended === "skipped" ? null : (later?.run.durationMs ?? hook.durationMs),
    source: hook.source ? `${relativeTo(root, hook.source.file)}:${hook.source.line}` : "built in",
    says: fault?.message ?? hook.reason ?? effects.map(effectText).join("\n"),
  };
}

function gateRow({ verdict, because, mode }: GateReport, { root }: RowContext): Row {
  return { who: "gate", name: `mode ${mode}`, word: verdict, durationMs: null, source: "", says: because.replaceAll(`${root}/`, "") };
}

const EFFECT_WORDS: { readonly [kind in Effect["kind"]]: string } = {
  context: "context",
  feedback: "feedback",
  input: "rewrite",
  rule: "rule",
  message: "message",
  interrupt: "stop",
};

function wordOf({ verdict, fault, ended }: HookReport, [effect]: readonly Effect[]): string {
  if (fault) return "fault";
  if (verdict) return verdict;
  if (ended === "skipped" || ended === "detached") return ended;
  return effect ? EFFECT_WORDS[effect.kind] : "–";
}

function effectText(effect: Effect): string {
  switch (effect.kind) {
    case "context":
    case "feedback":
    case "message":
      return effect.text;
    case "input":
      return JSON.stringify(effect.value);
    case "rule":
      return effect.allow;
    case "interrupt":
      return effect.reason ?? "the turn ends";
  }
}

/** The script of a command, for a narrow column; the source tells the rest. */
function shortName({ name }: HookReport): string {
  const script = name.split(/\s+/).find((word) => /^[\w./-]+\.\w+$/.test(word));
  return script?.split("/").at(-1) ?? name;
}

function relativeTo(root: string, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
