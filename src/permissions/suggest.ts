import { canonicalCall } from "../dialects/spelling.ts";
import { lookup, own, type JsonObject } from "../lib/json.ts";
import { TOOLS, type ToolCall } from "../model/tools.ts";
import { evaluate } from "./evaluate.ts";
import type { Judgement } from "./judgement.ts";
import { prefixRules } from "./prefix-rules.ts";
import { exactRule, extendPolicy, type Policy } from "./rules.ts";
import type { Scene } from "./scene.ts";

/** One prompt of a session and what was answered. */
export interface AnsweredPrompt {
  readonly tool: string;
  readonly input: JsonObject;
  readonly answer: "allow" | "always" | "deny" | "none";
}

/** A rule that covers calls which were approved, and nothing that was not. */
export interface SuggestedRule {
  readonly rule: string;
  /** How many prompts of the log it would have answered, alone or with others. */
  readonly prompts: number;
  /** What it leaves open because rules can't say it, as the text that is written to a file. */
  readonly open: string | null;
}

/** A rule that covers approved calls and more: for people to decide. */
export interface OfferedRule {
  readonly rule: string;
  readonly prompts: number;
  /** The approved calls it covers, as their exact rules or inputs. */
  readonly calls: readonly string[];
}

/** An approved call that no suggested rule covers. */
export interface LeftPrompt {
  readonly tool: string;
  readonly input: JsonObject;
  readonly prompts: number;
  readonly why: string;
}

/** What a log of answered prompts comes to. */
export interface Suggestions {
  readonly rules: readonly SuggestedRule[];
  readonly offers: readonly OfferedRule[];
  readonly left: readonly LeftPrompt[];
  /** Prompts by what became of them. */
  readonly counts: { readonly approved: number; readonly saved: number; readonly already: number; readonly denied: number; readonly unanswered: number };
}

/** What the suggestion is made against. */
export interface Ground {
  readonly existing: Policy;
  readonly scene: Scene;
}

/** Distinct approved calls under one wider rule before it is offered. */
export const OFFER_LEAST_CALLS = 3;

/** The smallest set of exact allow rules that would have covered the approved calls and none of the denied ones. */
export function suggestRules(prompts: readonly AnsweredPrompt[], ground: Ground): Suggestions {
  const calls = distinct(prompts);
  const { existing, scene } = ground;
  const refused = calls.filter((call) => call.denied > 0);
  const asked = calls.filter((call) => call.approved > 0).map((call) => ({ ...call, before: evaluate(call.call, existing, scene) }));
  const open = asked.filter(({ before }) => before.verdict !== "allow");
  const chosen = choose(open, refused, ground);
  const after = open.map((call) => ({ ...call, after: evaluate(call.call, chosen.policy, scene) }));
  const saved = after.flatMap((call) => (call.after.verdict === "allow" ? [{ ...call, rules: rulesOf(call.after) }] : []));
  const rules = chosen.kept.map(({ rule, open: left }) => ({ rule, prompts: total(saved.filter((call) => call.rules.has(rule))), open: left }));
  return {
    rules: rules.sort((left, right) => right.prompts - left.prompts),
    offers: offers(
      open.filter(({ denied }) => denied === 0),
      refused,
      ground,
    ),
    left: chosen.left,
    counts: {
      approved: total(asked),
      saved: total(saved),
      already: total(asked) - total(open),
      denied: refused.reduce((sum, { denied }) => sum + denied, 0),
      unanswered: prompts.filter(({ answer }) => answer === "none").length,
    },
  };
}

interface DistinctCall {
  readonly call: ToolCall;
  readonly approved: number;
  readonly denied: number;
}

interface OpenCall extends DistinctCall {
  readonly before: Judgement;
}

function total(calls: readonly DistinctCall[]): number {
  return calls.reduce((sum, { approved }) => sum + approved, 0);
}

/** Calls that no rule can tell apart count as one. */
function distinct(prompts: readonly AnsweredPrompt[]): readonly DistinctCall[] {
  const found = new Map<string, DistinctCall>();
  for (const { tool, input, answer } of prompts) {
    const call = trimmed(canonicalCall({ name: tool, input }));
    const key = JSON.stringify([call.name, subjectOf(call) ?? call.input]);
    const before = found.get(key) ?? { call, approved: 0, denied: 0 };
    found.set(key, {
      call: before.call,
      approved: before.approved + Number(answer === "allow" || answer === "always"),
      denied: before.denied + Number(answer === "deny"),
    });
  }
  return [...found.values()];
}

/** Blanks around a command mean nothing and are in no rule. */
function trimmed(call: ToolCall): ToolCall {
  const command = call.name === "shell" ? own(call.input, TOOLS.shell.argument) : undefined;
  return typeof command === "string" ? { ...call, input: { ...call.input, [TOOLS.shell.argument]: command.trim() } } : call;
}

function subjectOf({ name, input }: ToolCall): string | undefined {
  const argument = lookup(TOOLS, name)?.argument;
  const value = argument === null || argument === undefined ? undefined : own(input, argument);
  return typeof value === "string" ? value : undefined;
}

/** The tool as rules name it. */
function nameOf({ name }: ToolCall): string {
  return lookup(TOOLS, name)?.ruleName ?? name;
}

/** Tools whose calls a rule can name, and what such a rule leaves open; of any other tool a rule covers every call. */
const NAMEABLE: ReadonlyMap<string, string | null> = new Map([
  ["shell", null],
  ["read", null],
  ["write", "any content"],
  ["edit", "any edit"],
  ["glob", null],
  ["grep", "any pattern"],
  ["fetch", "any prompt"],
]);

interface Kept {
  readonly rule: string;
  readonly open: string | null;
  readonly call: OpenCall;
}

interface Chosen {
  readonly kept: readonly Kept[];
  readonly left: readonly LeftPrompt[];
  readonly policy: Policy;
}

/** Drops rules, those of fewest prompts first, until no denied call is covered. */
function choose(open: readonly OpenCall[], refused: readonly DistinctCall[], ground: Ground): Chosen {
  const banned = new Set<string>();
  for (;;) {
    const chosen = chooseOnce(open, banned, ground);
    const blamed = refused.flatMap(({ call }) => {
      const judgement = evaluate(call, chosen.policy, ground.scene);
      const rules = judgement.verdict === "allow" ? rulesOf(judgement) : new Set<string>();
      return chosen.kept.filter(({ rule }) => rules.has(rule));
    });
    const [least] = blamed.sort((left, right) => left.call.approved - right.call.approved);
    if (!least) return chosen;
    banned.add(least.rule);
  }
}

/** Simple calls come first: a compound one whose parts are allowed needs no rule of its own. */
function chooseOnce(open: readonly OpenCall[], banned: ReadonlySet<string>, { existing, scene }: Ground): Chosen {
  const kept: Kept[] = [];
  const left: LeftPrompt[] = [];
  let policy = existing;
  for (const one of [...open].sort((first, second) => first.before.commands.length - second.before.commands.length)) {
    const { call } = one;
    if (one.denied === 0 && evaluate(call, policy, scene).verdict === "allow") continue;
    const found = ruleFor(one, banned);
    const next = "rule" in found ? extendPolicy(policy, [{ verdict: "allow", text: found.rule }]) : policy;
    const after = evaluate(call, next, scene);
    if ("rule" in found && after.verdict === "allow") {
      policy = next;
      kept.push({ ...found, call: one });
    } else left.push({ tool: nameOf(call), input: call.input, prompts: one.approved, why: "rule" in found ? after.because : found.why });
  }
  return { kept, left, policy };
}

function ruleFor({ call, denied }: OpenCall, banned: ReadonlySet<string>): { readonly rule: string; readonly open: string | null } | { readonly why: string } {
  if (denied > 0) return { why: "The same call was also denied." };
  const rule = exactRule(call);
  const left = NAMEABLE.get(call.name);
  if (rule === undefined || left === undefined) return { why: "No rule can name exactly this call: one for its tool would cover every call of it." };
  return banned.has(rule) ? { why: "With this rule a call that was denied would pass." } : { rule, open: left };
}

/** Every rule that took part in an allow. */
function rulesOf({ rule, commands }: Judgement): ReadonlySet<string> {
  return new Set([rule, ...commands.map((command) => command.rule)].flatMap((each) => (each ? [each.text] : [])));
}

/** Wider rules that cover several approved calls and no denied one, the longest prefix first. */
function offers(open: readonly OpenCall[], refused: readonly DistinctCall[], { existing, scene }: Ground): readonly OfferedRule[] {
  const offered: OfferedRule[] = [];
  const taken = new Set<OpenCall>();
  for (const [rule, group] of [...groups(open)].sort(([left], [right]) => right.length - left.length)) {
    const fresh = group.filter((call) => !taken.has(call));
    if (fresh.length < OFFER_LEAST_CALLS) continue;
    const policy = extendPolicy(existing, [{ verdict: "allow", text: rule }]);
    const passes = ({ call }: DistinctCall): boolean => evaluate(call, policy, scene).verdict === "allow";
    const covered = fresh.filter(passes);
    if (covered.length < OFFER_LEAST_CALLS || refused.some(passes)) continue;
    for (const call of covered) taken.add(call);
    offered.push({ rule, prompts: total(covered), calls: covered.map(({ call }) => subjectOf(call) ?? JSON.stringify(call.input)) });
  }
  return offered;
}

/** Calls by the wider rules that would cover them: a prefix of whole plain words, or a tool that rules can't look into. */
function groups(open: readonly OpenCall[]): ReadonlyMap<string, readonly OpenCall[]> {
  const found = new Map<string, OpenCall[]>();
  for (const one of open) {
    for (const rule of one.call.name === "shell" ? shellRules(one) : toolRules(one)) found.set(rule, [...(found.get(rule) ?? []), one]);
  }
  return found;
}

function shellRules({ call, before }: OpenCall): readonly string[] {
  return before.commands.length === 1 ? prefixRules(String(subjectOf(call))) : [];
}

function toolRules({ call }: OpenCall): readonly string[] {
  return NAMEABLE.has(call.name) ? [] : [exactRule(call) ?? nameOf(call)];
}
