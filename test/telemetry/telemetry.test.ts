/** Traces and metrics as a collector receives them. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEngine } from "../../src/engine/engine.ts";
import { isObject } from "../../src/lib/json.ts";
import type { Recorder } from "../../src/model/recorder.ts";
import { telemetrySettings } from "../../src/telemetry/settings.ts";
import { openTelemetry } from "../../src/telemetry/telemetry.ts";
import { snaphook } from "../support/cli.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

interface Received {
  readonly path: string;
  readonly headers: { readonly [name: string]: unknown };
  readonly body: { readonly [key: string]: unknown };
}

/** A collector that keeps what it gets. */
async function collector(status = 200): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}

/** Every object below a value that has this key. */
function under(value: unknown, key: string): readonly { readonly [key: string]: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((each) => under(each, key));
  if (!isObject(value)) return [];
  const found = value[key];
  return [...(Array.isArray(found) ? found.filter(isObject) : []), ...Object.values(value).flatMap((each) => under(each, key))];
}

function attributesOf(span: { readonly [key: string]: unknown }): { readonly [name: string]: unknown } {
  const list = Array.isArray(span["attributes"]) ? span["attributes"].filter(isObject) : [];
  return Object.fromEntries(list.map(({ key, value }) => [String(key), isObject(value) ? Object.values(value)[0] : undefined]));
}

async function fireTwice(recorder: Recorder): Promise<void> {
  const cwd = tempFolder();
  writeFiles(cwd, { ".lime/settings.json": { hooks: { PreToolUse: ["exit 2", "exit 9"] }, permissions: { deny: ["Bash(rm *)"] } } });
  const engine = await createEngine({ cwd, env: { PATH: process.env["PATH"], HOME: cwd }, trust: true, recorder });
  await engine.fire({ name: "tool.before", sessionId: "s", tool: { name: "Bash", input: { command: "rm x" }, useId: "u" } });
  await engine.fire({ name: "prompt.submit", sessionId: "s", prompt: "secret words" });
  await engine.close();
}

describe("a collector on loopback", () => {
  test("gets a span for each event and one below it for each hook, all of one session in one trace", async () => {
    const { url, received } = await collector();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b",
      OTEL_SERVICE_NAME: "tests",
      OTEL_RESOURCE_ATTRIBUTES: "team=tools",
    };
    const problems: string[] = [];
    const telemetry = await openTelemetry({ env, version: "1.2.3", onProblem: (message) => problems.push(message) });
    await fireTwice(telemetry);
    await telemetry.close();
    expect([problems, received.map(({ path }) => path).toSorted()]).toEqual([[], ["/v1/metrics", "/v1/traces"]]);
    const traces = received.find(({ path }) => path === "/v1/traces");
    expect(traces?.headers).toMatchObject({ "content-type": "application/json", "x-key": "a b" });
    const spans = under(traces?.body, "spans");
    expect(spans.map(({ name }) => name)).toEqual(["tool.before Bash", "hook exit 2", "hook exit 9", "prompt.submit"]);
    const [root, hook, failed, prompt] = spans;
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect([root?.["parentSpanId"], hook?.["parentSpanId"], failed?.["parentSpanId"], prompt?.["parentSpanId"]]).toEqual([
      undefined,
      root?.["spanId"],
      root?.["spanId"],
      undefined,
    ]);
    expect(spans.every(({ startTimeUnixNano, endTimeUnixNano }) => BigInt(String(endTimeUnixNano)) >= BigInt(String(startTimeUnixNano)))).toBe(true);
    expect(attributesOf(root ?? {})).toMatchObject({
      "snaphook.verdict": "deny",
      "session.id": "s",
      "gen_ai.tool.name": "Bash",
      "snaphook.rule": "Bash(rm *)",
      "snaphook.hooks": "2",
    });
    expect(attributesOf(failed ?? {})).toMatchObject({ "snaphook.fault": "exit", "process.exit.code": "9", "snaphook.dialect": "lime" });
    expect(failed?.["status"]).toMatchObject({ code: 2 });
    expect(JSON.stringify(traces?.body)).not.toContain("secret words");
    const resource = under(traces?.body, "resourceSpans")[0]?.["resource"];
    expect(isObject(resource) ? attributesOf(resource) : {}).toMatchObject({ "service.name": "tests", "service.version": "1.2.3", team: "tools" });
  });

  test("gets decisions by verdict and the times of hooks as a histogram", async () => {
    const { url, received } = await collector();
    const telemetry = await openTelemetry({ env: { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${url}/own` }, version: "1", onProblem: () => {} });
    await fireTwice(telemetry);
    await telemetry.close();
    expect(received.map(({ path }) => path)).toEqual(["/own"]);
    const [decisions, durations] = under(received[0]?.body, "metrics");
    const counted = under(decisions, "dataPoints").map((point) => [attributesOf(point)["snaphook.verdict"], point["asInt"]]);
    expect([decisions?.["name"], counted.toSorted()]).toEqual([
      "snaphook.decisions",
      [
        ["deny", "1"],
        ["none", "1"],
      ],
    ]);
    const points = under(durations, "dataPoints");
    expect([durations?.["name"], points.map((point) => [attributesOf(point)["snaphook.hook"], point["count"]]).toSorted()]).toEqual([
      "snaphook.hook.duration",
      [
        ["exit 2", "1"],
        ["exit 9", "1"],
      ],
    ]);
    expect(
      points.every(
        ({ bucketCounts, explicitBounds }) => Array.isArray(bucketCounts) && Array.isArray(explicitBounds) && bucketCounts.length === explicitBounds.length + 1,
      ),
    ).toBe(true);
  });

  test("that refuses is told once, and changes no decision", async () => {
    const { url } = await collector(503);
    const problems: string[] = [];
    const telemetry = await openTelemetry({ env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url }, version: "1", onProblem: (message) => problems.push(message) });
    await fireTwice(telemetry);
    await telemetry.close();
    expect(problems).toEqual([`telemetry: ${url} answered 503`]);
  });

  test("is told by the command line, and the parent of TRACEPARENT is kept", async () => {
    const { url, received } = await collector();
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const cwd = tempFolder();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, TRACEPARENT: `00-${traceId}-b7ad6b7169203331-01` };
    const { code, stderr } = await snaphook(["fire", "setup"], { cwd, env, stdin: {} });
    const [span] = under(received.find(({ path }) => path === "/v1/traces")?.body, "spans");
    expect([code, stderr, span?.["traceId"], span?.["parentSpanId"]]).toEqual([0, "", traceId, "b7ad6b7169203331"]);
    expect(attributesOf(span ?? {})["snaphook.decision.id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("that is not there costs a notice, not the decision", async () => {
    const { code, stdout, stderr } = await snaphook(["fire", "setup"], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, stdin: {} });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { event: "setup" }]);
    expect(stderr).toContain("snaphook: telemetry: http://127.0.0.1:9/v1/traces can't be reached");
  });
});

describe("settings", () => {
  const read = (env: { readonly [name: string]: string }): ReturnType<typeof telemetrySettings> => telemetrySettings(env, { version: "1" });

  test("a signal's own endpoint, headers and timeout come before the common ones; exporters can be switched off", () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "a=1",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/x",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=2",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "500",
    };
    expect(read(env).traces).toEqual({ url: "http://t/x", headers: { a: "1", b: "2" }, timeoutMs: 500 });
    expect(read(env).metrics).toEqual({ url: "http://c:4318/v1/metrics", headers: { a: "1" }, timeoutMs: 10_000 });
    expect(read({ ...env, OTEL_METRICS_EXPORTER: "none" }).metrics).toBeNull();
    expect(read({ ...env, OTEL_TRACES_EXPORTER: "console,otlp" }).traces).not.toBeNull();
  });

  test("gRPC is not spoken, and that is said; what is no address sends nothing", () => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toMatchObject({
      traces: null,
      metrics: null,
      problems: [expect.stringContaining("grpc")],
    });
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "nonsense" }).traces).toBeNull();
  });
});
