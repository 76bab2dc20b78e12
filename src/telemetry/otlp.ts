/** OTLP over HTTP with JSON: how spans and metrics are written and sent. */
import { messageOf } from "../lib/errors.ts";
import { BOUNDS_MS, type Meter } from "./metrics.ts";
import type { SignalSettings } from "./settings.ts";
import type { AttributeValue, Span } from "./spans.ts";

type Attributes = { readonly [name: string]: AttributeValue };

/** Who sends. */
export interface Sender {
  readonly resource: Attributes;
  readonly version: string;
}

/** The body of a request with spans. */
export function tracesBody(spans: readonly Span[], { resource, version }: Sender): object {
  const written = spans.map(({ traceId, spanId, parentSpanId, name, startNs, endNs, attributes, error }) => ({
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name,
    kind: INTERNAL,
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(endNs),
    attributes: attributesJson(attributes),
    status: error === null ? {} : { code: FAILED, message: error },
  }));
  return { resourceSpans: [{ resource: { attributes: attributesJson(resource) }, scopeSpans: [{ scope: { name: "snaphook", version }, spans: written }] }] };
}

/** Kinds and codes of the protocol. */
const INTERNAL = 1;
const FAILED = 2;
const CUMULATIVE = 2;

/** The body of a request with metrics, added up since the process began. */
export function metricsBody(
  { decisions, hooks }: Pick<Meter, "decisions" | "hooks">,
  { resource, version, startMs, nowMs }: Sender & { readonly startMs: number; readonly nowMs: number },
): object {
  const times = { startTimeUnixNano: `${Math.round(startMs)}000000`, timeUnixNano: `${Math.round(nowMs)}000000` };
  const metrics = [
    {
      name: "snaphook.decisions",
      description: "Decisions by event and verdict",
      unit: "{decision}",
      sum: {
        aggregationTemporality: CUMULATIVE,
        isMonotonic: true,
        dataPoints: decisions.map(({ attributes, count }) => ({ ...times, attributes: attributesJson(attributes), asInt: String(count) })),
      },
    },
    {
      name: "snaphook.hook.duration",
      description: "How long hooks took",
      unit: "ms",
      histogram: {
        aggregationTemporality: CUMULATIVE,
        dataPoints: hooks.map(({ attributes, count, sum, min, max, buckets }) => ({
          ...times,
          attributes: attributesJson(attributes),
          count: String(count),
          sum,
          min,
          max,
          bucketCounts: buckets.map(String),
          explicitBounds: BOUNDS_MS,
        })),
      },
    },
  ];
  return { resourceMetrics: [{ resource: { attributes: attributesJson(resource) }, scopeMetrics: [{ scope: { name: "snaphook", version }, metrics }] }] };
}

function attributesJson(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueJson(value) }));
}

function valueJson(value: AttributeValue): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Sends a body. Returns why it did not arrive, or null. */
export async function send({ url, headers, timeoutMs }: SignalSettings, body: object): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.arrayBuffer();
    return response.ok ? null : `${url} answered ${response.status}`;
  } catch (error) {
    return `${url} can't be reached: ${messageOf(error)}`;
  }
}
