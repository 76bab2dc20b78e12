import { sourceText } from "../model/source.ts";
import type { Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import { firstVoice, type Findings } from "./findings.ts";
import type { Judgement, SpokenRule, Step } from "./judgement.ts";
import { kindOf, modeVerdict } from "./modes.ts";
import type { Scene } from "./scene.ts";

/** Applies the steps in order: deny, unresolved deny, protected file, ask, allow, mode. */
export function conclude(toolName: string, findings: Findings, scene: Scene): Judgement {
  const { deny, ask, allow, protects } = findings;
  const denied = firstVoice(deny, "yes");
  if (denied) return answer(findings, scene, "deny", "deny-rule", `Denied by ${ruleText(denied.rule)}.`, denied.rule);
  // What would be refused without the question is not asked.
  if (allow === undefined && modeVerdict(scene.mode, toolName) === "deny") return byMode(toolName, findings, scene);
  const unresolved = firstVoice(deny, "maybe");
  if (unresolved)
    return answer(findings, scene, "ask", "unresolved-deny", `${unresolvedText(findings)}, so ${ruleText(unresolved.rule)} may apply.`, unresolved.rule);
  if (protects !== undefined) return answer(findings, scene, "ask", "protected", `It writes to ${protects}, which is protected.`);
  const asked = firstVoice(ask, "yes");
  if (asked) return answer(findings, scene, "ask", "ask-rule", `Asked because of ${ruleText(asked.rule)}.`, asked.rule);
  const perhaps = firstVoice(ask, "maybe");
  if (perhaps) return answer(findings, scene, "ask", "ask-rule", `${unresolvedText(findings)}, so ${ruleText(perhaps.rule)} may apply.`, perhaps.rule);
  if (allow) return answer(findings, scene, "allow", "allow-rule", `Allowed by ${ruleText(allow)}.`, allow);
  return byMode(toolName, findings, scene);
}

function byMode(toolName: string, findings: Findings, scene: Scene): Judgement {
  const verdict = modeVerdict(scene.mode, toolName);
  return answer(findings, scene, verdict, "mode", `The mode ${scene.mode} says ${verdict} for ${KIND_WORDS[kindOf(toolName)]}, and no rule decided.`);
}

function answer(findings: Findings, { mode }: Scene, verdict: Verdict, step: Step, because: string, rule?: Rule): Judgement {
  const { deny, ask, allow, commands, doubts } = findings;
  const spoke = deny.size + ask.size === 0 && allow === undefined ? NOBODY : spoken(findings);
  return rule ? { verdict, because, step, mode, rule, spoke, commands, doubts } : { verdict, because, step, mode, spoke, commands, doubts };
}

const NOBODY: readonly SpokenRule[] = [];

const KIND_WORDS = {
  read: "tools that read",
  write: "tools that write",
  shell: "shell commands",
  own: "what a session keeps for itself",
  other: "this tool",
} as const;

/** A rule with its list and place, for a sentence. */
export function ruleText(rule: Rule): string {
  return rule.source ? `the ${rule.verdict} rule ${rule.text} at ${sourceText(rule.source)}` : `the ${rule.verdict} rule ${rule.text}`;
}

function unresolvedText({ doubts }: Findings): string {
  const doubt = doubts[0];
  return doubt ? `The call has ${doubt.construct} (${doubt.why})` : "It can't be known whether the call matches";
}

function spoken({ deny, ask, allow }: Findings): readonly SpokenRule[] {
  if (allow && deny.size + ask.size === 0) return [{ rule: allow, match: "yes" }];
  const voices = [...deny, ...ask];
  if (voices.length > 1) voices.sort(([left], [right]) => left.order - right.order);
  const rules = voices.map(([{ rule }, match]): SpokenRule => ({ rule, match }));
  return allow ? [...rules, { rule: allow, match: "yes" }] : rules;
}
