/** A decision, an answer or a late hook → the details of its record. What is null or empty is left out. */
import { rounded } from "../lib/time.ts";
import type { Decision, HookReport } from "../model/decision.ts";
import type { EveryEvent, HookEvent } from "../model/events.ts";
import { reportOf, type Heard } from "../model/heard.ts";
import type { ApprovalReport, DecisionMoment } from "../model/recorder.ts";
import type { ApprovalRecord, DecisionRecord, DetachedRecord, RecordedGate, RecordedHook, RecordedTool, RecordedVoice, RecordFrame } from "./record.ts";

/** What the chain and the frame do not add. */
type Details<Kind> = Omit<Kind, keyof RecordFrame | "seq" | "hash">;

/** The details of a decision. */
export function describeDecision(decision: Decision, { event, durationMs, hashOf }: DecisionMoment): Details<DecisionRecord> {
  const { verdict, reason, gate, hooks, context, feedback, messages, rules, notices } = decision;
  const fields = fieldsOf(event);
  return {
    ...sceneOf(event),
    event: decision.event,
    ...(verdict !== null && { verdict }),
    ...(reason !== null && { reason }),
    ...(verdict !== null && { by: voices(decision) }),
    ...(event.tool && { tool: toolOf(event, decision) }),
    ...(fields && { fields }),
    ...(gate && { gate: gateOf(gate) }),
    ...(hooks.length > 0 && { hooks: hooks.map((hook) => hookOf(hook, hashOf(hook))) }),
    ...(context.length > 0 && { context }),
    ...(feedback.length > 0 && { feedback }),
    ...(messages.length > 0 && { messages }),
    ...(rules.length > 0 && { rules }),
    ...(decision.interrupt && { interrupt: true as const }),
    ...(notices.length > 0 && { notices: notices.map(({ kind, message }) => ({ kind, message })) }),
    durationMs: rounded(durationMs),
  };
}

/** The details of an answer. */
export function describeApproval({ scene, tool, reason, answer, approver, text }: ApprovalReport): Details<ApprovalRecord> {
  return { ...sceneOf(scene), tool, answer, approver, reason, ...(text !== undefined && { text }) };
}

/** The details of a hook that ended after its decision. */
export function describeDetached(heard: Heard, event: HookEvent): Details<DetachedRecord> {
  const tool = event.tool && { name: event.tool.name, input: event.tool.input, ...(event.tool.useId !== undefined && { useId: event.tool.useId }) };
  return { ...sceneOf(event), event: event.name, ...(tool && { tool }), hooks: [hookOf(reportOf(heard), null)] };
}

function sceneOf({ sessionId, turnId, requestId, agent, cwd, permissionMode }: EveryEvent): Omit<Details<DetachedRecord>, "event" | "hooks" | "tool"> {
  return {
    ...(sessionId !== undefined && { session: sessionId }),
    ...(turnId !== undefined && { turn: turnId }),
    ...(requestId !== undefined && { request: requestId }),
    ...(agent && { agent: { ...(agent.id !== undefined && { id: agent.id }), ...(agent.type !== undefined && { type: agent.type }) } }),
    ...(cwd !== undefined && { cwd }),
    ...(permissionMode !== undefined && { mode: permissionMode }),
  };
}

/** Everything that speaks for the verdict; where nothing does, it is a floor: something that holds whatever was said. */
function voices({ verdict, gate, hooks }: Decision): readonly RecordedVoice[] {
  const byGate = gate?.verdict === verdict && gate ? [gate.step === "mode" ? { kind: "mode" as const, name: gate.mode } : ruleVoice(gate.rule?.text)] : [];
  const byHooks = hooks.filter((hook) => hook.verdict === verdict).map((hook): RecordedVoice => ({ kind: "hook", name: hook.name }));
  const found = [...byGate, ...byHooks];
  if (found.length > 0) return found;
  const failed = hooks.filter((hook) => hook.fault !== null);
  return failed.length > 0 ? failed.map((hook): RecordedVoice => ({ kind: "hook", name: hook.name })) : [{ kind: "floor" }];
}

function ruleVoice(text: string | undefined): RecordedVoice {
  return text === undefined ? { kind: "rule" } : { kind: "rule", name: text };
}

function toolOf({ tool }: HookEvent, { input, originalInput }: Decision): RecordedTool {
  const isRewritten = originalInput !== null && input !== null && originalInput !== input;
  return {
    name: tool?.name ?? "",
    input: input ?? tool?.input ?? {},
    ...(isRewritten && { originalInput }),
    ...(tool?.output !== undefined && { output: tool.output }),
    ...(tool?.isError !== undefined && { isError: tool.isError }),
    ...(tool?.useId !== undefined && { useId: tool.useId }),
    ...(tool?.durationMs !== undefined && { durationMs: tool.durationMs }),
  };
}

/** Fields that only some events have. */
const FIELDS = [
  "prompt",
  "source",
  "reason",
  "trigger",
  "instructions",
  "message",
  "title",
  "kind",
  "summary",
  "stopActive",
  "lastMessage",
  "model",
  "task",
  "teammate",
  "file",
] as const satisfies readonly (keyof HookEvent)[];

function fieldsOf(event: HookEvent): { readonly [name: string]: unknown } | null {
  let found: { [name: string]: unknown } | null = null;
  for (const name of FIELDS) {
    if (event[name] === undefined) continue;
    found ??= {};
    found[name] = event[name];
  }
  return found;
}

function gateOf({ verdict, because, step, mode, rule }: NonNullable<Decision["gate"]>): RecordedGate {
  return { verdict, because, step, mode, ...(rule && { rule: { verdict: rule.verdict, text: rule.text, ...rule.source } }) };
}

function hookOf(hook: HookReport, hash: string | null): RecordedHook {
  const { name, dialect, type, source, ended, exitCode, signal, durationMs, verdict, reason, fault } = hook;
  return {
    name,
    dialect,
    type,
    ...(source && { source }),
    ...(hash !== null && { hash }),
    ended,
    ...(exitCode !== null && { exitCode }),
    ...(signal !== null && { signal }),
    durationMs,
    ...(verdict !== null && { verdict }),
    ...(reason !== null && { reason }),
    ...(fault && { fault }),
  };
}
