/** What happens to a call that must be asked [W7]: hooks may answer, then people, then nobody. */
import type { Decision } from "../model/decision.ts";
import type { JsonObject } from "../lib/json.ts";
import { askMouths, type Approval } from "./approvals.ts";
import type { SessionCore } from "./core.ts";
import type { ToolUse } from "./messages.ts";

/** How a question ended: the call may run with this input, or not and why. */
export type Settled = { readonly kind: "run"; readonly input: JsonObject; readonly text?: string } | { readonly kind: "denied"; readonly reason: string };

/** Settles a call that rules, mode or a hook want asked. */
export async function settleQuestion(
  core: SessionCore,
  use: ToolUse,
  // An answer to a question is no permission: it is not remembered.
  { reason, signal, remembers }: { readonly reason: string; readonly signal: AbortSignal; readonly remembers: boolean },
): Promise<Settled> {
  if (remembers && core.approved.has(callKey(use)))
    return recordedAnswer(core, { ...use, reason, approval: { answer: "allow", by: 'an earlier "always"' } }) ?? { kind: "run", input: use.input };
  const asked = await core.fire({ name: "permission.request", tool: { name: use.name, input: use.input, useId: use.id }, reason }, signal);
  const byHook = await answeredByHook(core, use, asked);
  if (byHook) return byHook;
  const input = asked.input ?? use.input;
  await core.fire({ name: "notification", kind: "permission_prompt", title: "Permission", message: `${use.name} needs your permission: ${reason}` }, signal);
  const approval = await askMouths(core.world.mouths, { tool: use.name, input, reason, agent: core.agent }, signal);
  core.say({
    type: "approval",
    tool: use.name,
    input,
    answer: approval.answer,
    by: approval.by,
    ...(approval.text !== undefined && { text: approval.text }),
    ...(approval.rule !== undefined && { rule: approval.rule }),
  });
  const unrecorded = recordedAnswer(core, { ...use, input, reason, approval });
  if (unrecorded) return unrecorded;
  if (remembers && approval.answer === "allow" && approval.rule !== undefined) core.learned = [...core.learned, { verdict: "allow", text: approval.rule }];
  if (remembers && approval.answer === "always") core.approved.add(callKey({ ...use, input }));
  return settledBy(approval, { use, input, reason });
}

/** Takes an answer down; where it must be on record and can't be, the call does not run. */
function recordedAnswer(
  core: SessionCore,
  { id, name, input, reason, approval: { answer, by, text } }: ToolUse & { readonly reason: string; readonly approval: Approval },
): Extract<Settled, { kind: "denied" }> | undefined {
  const tool = { name, input, useId: id };
  const problem = core.world.recorder?.approved({ scene: core.scene, tool, reason, answer, approver: by, ...(text !== undefined && { text }) });
  return problem === null || problem === undefined ? undefined : { kind: "denied", reason: problem };
}

/** A permission.request hook may deny or allow in the approver's place; what it rewrites is judged again [P4]. */
async function answeredByHook(core: SessionCore, use: ToolUse, asked: Decision): Promise<Settled | undefined> {
  learnRules(core, asked);
  if (asked.verdict === "deny") return { kind: "denied", reason: asked.reason ?? "a permission hook denied the call" };
  const input = asked.input ?? use.input;
  if (input !== use.input) {
    const judged = core.world.live.engine.gate?.report(
      { name: "tool.before", cwd: core.cwd, permissionMode: core.modeHolder.mode, tool: { name: use.name, input } },
      core.learned,
    );
    if (judged?.verdict === "deny") return { kind: "denied", reason: judged.because };
  }
  return asked.verdict === "allow" ? { kind: "run", input } : undefined;
}

function settledBy(approval: Approval, { use, input, reason }: { use: ToolUse; input: JsonObject; reason: string }): Settled {
  switch (approval.answer) {
    case "allow":
    case "always":
      return { kind: "run", input, ...(approval.text !== undefined && { text: approval.text }) };
    case "deny":
      return { kind: "denied", reason: `The user denied ${use.name}${approval.text === undefined ? "." : `: ${approval.text}`}` };
    case "none":
      return { kind: "denied", reason: `${use.name} was not run: it needs permission (${reason}) and nobody was there to ask.` };
  }
}

/** Session rules from hooks hold from now on; they never beat a deny, which the gate sees to [A7]. */
export function learnRules(core: SessionCore, decision: Decision): void {
  if (decision.rules.length === 0 || decision.verdict === "deny") return;
  if (core.world.live.engine.configuration.authority.managedRulesOnly)
    return core.say({ type: "notice", message: `rules of hooks (${decision.rules.join(", ")}) do not count: only managed settings may allow here` });
  core.learned = [...core.learned, ...decision.rules.map((text) => ({ verdict: "allow" as const, text }))];
}

/** "Always" learns exactly the call that was shown [W12]. */
function callKey({ name, input }: Pick<ToolUse, "name" | "input">): string {
  return `${name} ${JSON.stringify(input)}`;
}
