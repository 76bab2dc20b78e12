/** A decision → spans: one for the event, one below it for each hook that ran. */
import { createHash, randomBytes } from "node:crypto";
import type { Decision, HookReport } from "../model/decision.ts";
import type { HookEvent } from "../model/events.ts";

/** A value of an attribute. */
export type AttributeValue = string | number | boolean;

/** One span, with times in nanoseconds since 1970. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: { readonly [name: string]: AttributeValue };
  /** Why it failed; null where it did not. */
  readonly error: string | null;
}

/** When an event was decided and in which trace. */
export interface SpanMoment {
  readonly event: HookEvent;
  readonly durationMs: number;
  readonly endMs: number;
  readonly parent: { readonly traceId: string; readonly spanId: string } | null;
}

/** The spans of a decision. Only the time that a hook took is known, not when it began: its span ends with the event's at the latest. */
export function spansOf(decision: Decision, { event, durationMs, endMs, parent }: SpanMoment): readonly Span[] {
  const endNs = nanoseconds(endMs);
  const startNs = nanoseconds(endMs - durationMs);
  const traceId = parent?.traceId ?? traceIdOf(event.sessionId);
  const spanId = randomBytes(8).toString("hex");
  const { verdict, gate, reason, id } = decision;
  const root: Span = {
    traceId,
    spanId,
    parentSpanId: parent?.spanId ?? null,
    name: event.tool ? `${decision.event} ${event.tool.name}` : decision.event,
    startNs,
    endNs,
    attributes: {
      "snaphook.event": decision.event,
      "snaphook.verdict": verdict ?? "none",
      ...(id !== undefined && { "snaphook.decision.id": id }),
      ...(event.sessionId !== undefined && { "session.id": event.sessionId }),
      ...(event.agent?.type !== undefined && { "gen_ai.agent.name": event.agent.type }),
      ...(event.tool && { "gen_ai.tool.name": event.tool.name }),
      ...(event.tool?.useId !== undefined && { "gen_ai.tool.call.id": event.tool.useId }),
      ...(gate && { "snaphook.gate.step": gate.step, "snaphook.gate.verdict": gate.verdict, "snaphook.mode": gate.mode }),
      ...(gate?.rule && { "snaphook.rule": gate.rule.text }),
      ...(verdict !== null && verdict !== "allow" && reason !== null && { "snaphook.reason": reason.slice(0, TEXT_LENGTH) }),
      "snaphook.hooks": decision.hooks.length,
    },
    error: null,
  };
  return [root, ...decision.hooks.filter(hasRun).map((hook) => hookSpan(hook, root))];
}

const TEXT_LENGTH = 256;

/** Whether a hook ran to its end before the decision. */
export function hasRun({ ended }: HookReport): boolean {
  return ended !== "skipped" && ended !== "detached";
}

function hookSpan(hook: HookReport, root: Span): Span {
  const { name, dialect, type, source, ended, exitCode, verdict, fault, durationMs } = hook;
  const endNs = root.startNs + BigInt(Math.round(durationMs * 1e6));
  return {
    traceId: root.traceId,
    spanId: randomBytes(8).toString("hex"),
    parentSpanId: root.spanId,
    name: `hook ${name.slice(0, TEXT_LENGTH)}`,
    startNs: root.startNs,
    endNs: endNs < root.endNs ? endNs : root.endNs,
    attributes: {
      "snaphook.hook": name.slice(0, TEXT_LENGTH),
      "snaphook.dialect": dialect,
      "snaphook.hook.type": type,
      "snaphook.hook.ended": ended,
      "snaphook.verdict": verdict ?? "none",
      "snaphook.hook.duration_ms": durationMs,
      ...(source && { "code.file.path": source.file, "code.line.number": source.line }),
      ...(exitCode !== null && { "process.exit.code": exitCode }),
      ...(fault && { "snaphook.fault": fault.kind }),
    },
    error: fault ? fault.message.slice(0, TEXT_LENGTH) : null,
  };
}

/** All events of a session are one trace, whichever process saw them. */
function traceIdOf(sessionId: string | undefined): string {
  return sessionId === undefined ? randomBytes(16).toString("hex") : createHash("sha256").update(`snaphook session ${sessionId}`).digest("hex").slice(0, 32);
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1_000)) * 1_000n;
}
