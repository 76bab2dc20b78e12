import { nearest } from "../../lib/nearest.ts";
import type { Notice } from "../../model/notice.ts";
import { TOOLS } from "../../model/tools.ts";
import { lintRules, type RuleFinding } from "../../permissions/lint.ts";
import { parseRule } from "../../permissions/rules.ts";
import type { Check } from "../check.ts";

/** Permission rules that do not do what their owner meant. */
export const rules: Check = {
  finds: "rules that can't be read, never match, or stand behind a wider one",
  run: ({ configuration }) =>
    lintRules(configuration.rules)
      .filter((finding) => finding.kind !== "unknown-tool" || isNearMiss(finding))
      .map(({ kind, rule, message }): Notice => ({ kind: kind === "malformed" ? "bad-rule" : "rule-finding", message, ...rule.source })),
};

/** Agents have tools of their own: an unknown name is a mistake only where it nearly is a known one. */
function isNearMiss({ rule }: RuleFinding): boolean {
  const parsed = parseRule(rule.text);
  const known = Object.values(TOOLS).map(({ ruleName }) => ruleName);
  return parsed.kind === "rule" && nearest(parsed.written, known) !== undefined;
}
