import { canonicalCall } from "../dialects/spelling.ts";
import type { ToolCall } from "../model/tools.ts";
import { conclude } from "./conclude.ts";
import { judgeCall } from "./evaluate.ts";
import type { Match } from "./judgement.ts";
import { compilePolicy, parseRule, type Policy } from "./rules.ts";
import type { Scene } from "./scene.ts";

/** Compiled conditions kept at hand; a session has few. */
const CONDITION_LIMIT = 512;
const compiled = new Map<string, Policy>();

/** Whether a hook's `if` speaks about this call: yes when any part of a compound command matches, maybe when it can't be known. */
export function matchCondition(ruleText: string, call: ToolCall, scene: Scene): Match {
  if (parseRule(ruleText).kind === "problem") return "maybe";
  const canonical = canonicalCall(call);
  const { step, verdict } = conclude(canonical.name, judgeCall(canonical, policyFor(ruleText), scene), { ...scene, mode: "bypassPermissions" });
  if (verdict === "deny") return "yes";
  return step === "unresolved-deny" ? "maybe" : "no";
}

/** A condition is read as a deny rule, which sees through quotes and wrappers. */
function policyFor(ruleText: string): Policy {
  const known = compiled.get(ruleText);
  if (known) return known;
  if (compiled.size >= CONDITION_LIMIT) compiled.clear();
  const policy = compilePolicy([{ verdict: "deny", text: ruleText }]);
  compiled.set(ruleText, policy);
  return policy;
}
