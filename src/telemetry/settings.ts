/** What the OTEL_* variables say, as the specification of OpenTelemetry reads them. */

/** Where one kind of signal is sent. */
export interface SignalSettings {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly timeoutMs: number;
}

/** What is sent, and where; null for what is not. */
export interface TelemetrySettings {
  readonly traces: SignalSettings | null;
  readonly metrics: SignalSettings | null;
  readonly resource: { readonly [name: string]: string };
  /** The trace that this process is part of, from TRACEPARENT. */
  readonly parent: { readonly traceId: string; readonly spanId: string } | null;
  /** Why something that was configured is not done. */
  readonly problems: readonly string[];
}

type Environment = { readonly [name: string]: string | undefined };

const DEFAULT_TIMEOUT_MS = 10_000;

/** Reads the variables. */
export function telemetrySettings(env: Environment, { version }: { readonly version: string }): TelemetrySettings {
  const protocol = env["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "";
  const isGrpc = protocol === "grpc";
  const signal = (kind: "TRACES" | "METRICS", path: string): SignalSettings | null => {
    const exporter = env[`OTEL_${kind}_EXPORTER`];
    if (isGrpc || (exporter !== undefined && exporter !== "" && !exporter.split(",").includes("otlp"))) return null;
    const own = env[`OTEL_EXPORTER_OTLP_${kind}_ENDPOINT`];
    const base = env["OTEL_EXPORTER_OTLP_ENDPOINT"];
    const url = own ? own : base ? `${base.replace(/\/+$/, "")}/${path}` : "";
    if (!URL.canParse(url)) return null;
    const headers = { ...pairs(env["OTEL_EXPORTER_OTLP_HEADERS"]), ...pairs(env[`OTEL_EXPORTER_OTLP_${kind}_HEADERS`]) };
    return { url, headers, timeoutMs: milliseconds(env[`OTEL_EXPORTER_OTLP_${kind}_TIMEOUT`] ?? env["OTEL_EXPORTER_OTLP_TIMEOUT"]) };
  };
  return {
    traces: signal("TRACES", "v1/traces"),
    metrics: signal("METRICS", "v1/metrics"),
    resource: {
      "service.name": "snaphook",
      "service.version": version,
      "process.pid": String(process.pid),
      ...pairs(env["OTEL_RESOURCE_ATTRIBUTES"]),
      ...(env["OTEL_SERVICE_NAME"] && { "service.name": env["OTEL_SERVICE_NAME"] }),
    },
    parent: parentOf(env["TRACEPARENT"]),
    problems: isGrpc ? ["OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not spoken here: nothing is sent. Use http/json and the collector's HTTP port (4318)"] : [],
  };
}

/** `a=1,b=2`, percent-encoded. */
function pairs(text: string | undefined): { readonly [name: string]: string } {
  const entries = (text ?? "").split(",").flatMap((pair): (readonly [string, string])[] => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function milliseconds(text: string | undefined): number {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value > 0 ? value : DEFAULT_TIMEOUT_MS;
}

function parentOf(text: string | undefined): TelemetrySettings["parent"] {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(text ?? "");
  return found?.[1] !== undefined && found[2] !== undefined ? { traceId: found[1], spanId: found[2] } : null;
}
