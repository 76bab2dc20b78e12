/** Traces and metrics of decisions, sent while the work goes on and at its end. */
import { redactText, secretValues } from "../audit/redact.ts";
import { messageOf } from "../lib/errors.ts";
import { settlesWithin } from "../lib/time.ts";
import type { Decision } from "../model/decision.ts";
import type { DecisionMoment, Recorder } from "../model/recorder.ts";
import { Meter } from "./metrics.ts";
import { metricsBody, send, tracesBody } from "./otlp.ts";
import { telemetrySettings, type SignalSettings } from "./settings.ts";
import { spansOf, type Span } from "./spans.ts";

/** A recorder that sends. */
export interface Telemetry extends Recorder {
  /** Sends what is left; does not wait longer than a few seconds. */
  close(): Promise<void>;
}

/** Spans are sent when there are so many, or after a while. */
const BATCH_SPANS = 512;
const BATCH_MS = 5_000;
/** Spans that wait; what comes beyond is dropped, and told. */
const WAITING_SPANS = 4_096;
const METRICS_MS = 60_000;
/** How long the end of a process waits for a collector. */
const CLOSE_MS = 2_000;

/** Opens what OTEL_* variables ask for. Problems are told once each. */
export async function openTelemetry({
  env,
  version,
  onProblem,
}: {
  readonly env: { readonly [name: string]: string | undefined };
  readonly version: string;
  readonly onProblem: (message: string) => void;
}): Promise<Telemetry> {
  const { traces, metrics, resource, parent, problems } = telemetrySettings(env, { version });
  const told = new Set<string>();
  const tell = (problem: string | null): void => {
    if (problem === null || told.has(problem)) return;
    told.add(problem);
    onProblem(`telemetry: ${problem}`);
  };
  problems.forEach(tell);
  const sender = { resource, version };
  const secrets = secretValues(env);
  const startMs = Date.now();
  const meter = new Meter();
  let waiting: Span[] = [];
  const sending = new Set<Promise<void>>();
  const post = (settings: SignalSettings, body: object): void => {
    const work = send(settings, body)
      .then(tell)
      .finally(() => sending.delete(work));
    sending.add(work);
  };
  const sendSpans = (): void => {
    if (!traces || waiting.length === 0) return;
    post(traces, tracesBody(waiting, sender));
    waiting = [];
  };
  const sendMetrics = (): void => {
    if (metrics && meter.decisions.length > 0) post(metrics, metricsBody(meter, { ...sender, startMs, nowMs: Date.now() }));
  };
  const timers = [setInterval(sendSpans, BATCH_MS).unref(), setInterval(sendMetrics, METRICS_MS).unref()];
  const observe = (decision: Decision, { event, durationMs }: DecisionMoment): void => {
    const clean = withoutSecrets(decision, secrets);
    if (metrics) meter.add(clean);
    if (traces && waiting.length < WAITING_SPANS)
      waiting.push(...spansOf(clean, { event, durationMs, endMs: performance.timeOrigin + performance.now(), parent }));
    else if (traces) tell("the collector does not keep up; spans are dropped");
    if (waiting.length >= BATCH_SPANS) sendSpans();
  };
  return {
    decided: (decision, moment) => {
      // Who watches may fail; what is decided is decided.
      try {
        observe(decision, moment);
      } catch (error) {
        tell(`a decision could not be told: ${messageOf(error)}`);
      }
      return decision;
    },
    detached: () => {},
    approved: () => null,
    close: async () => {
      timers.forEach((timer) => clearInterval(timer));
      sendSpans();
      sendMetrics();
      if (!(await settlesWithin(Promise.all(sending), CLOSE_MS))) tell(`the collector did not answer within ${CLOSE_MS / 1_000} s`);
    },
  };
}

/** Names and reasons go out of the house: they take no secrets along. */
function withoutSecrets(decision: Decision, secrets: readonly string[]): Decision {
  return {
    ...decision,
    reason: decision.reason === null ? null : redactText(decision.reason, secrets),
    hooks: decision.hooks.map((hook) => ({
      ...hook,
      name: redactText(hook.name, secrets),
      fault: hook.fault && { ...hook.fault, message: redactText(hook.fault.message, secrets) },
    })),
  };
}
