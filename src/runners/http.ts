import { createHmac, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { linkSignals } from "../lib/abort.ts";
import { CappedText } from "../lib/capped-text.ts";
import { messageOf } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import { isCutOff } from "../lib/json-scan.ts";
import type { Connections } from "../lib/request.ts";
import type { Action } from "../model/hook.ts";
import type { RunResult } from "../model/run.ts";
import type { RunContext, Runner, RunnerResult } from "./runner.ts";

type HttpAction = Extract<Action, { type: "http" }>;

/** Posts the payload and reads a JSON answer. No redirects: they would carry headers to another server. */
export const runHttp: Runner = async (hook, payload, context): Promise<RunnerResult> => {
  const { action } = hook;
  if (action.type !== "http") return { result: failed(`a ${action.type} hook has no URL`), stubbed: [], remarks: [] };
  if (action.refused !== null) return { result: { kind: "not-started", message: action.refused, failure: "refused" }, stubbed: [], remarks: [] };
  const remarks: string[] = [];
  const headers = headersOf(action, payload.stdinText, context, remarks);
  const link = linkSignals(context.signal);
  const timer = setTimeout(() => link.abort(new Error(`no answer within ${hook.timeoutMs} ms`)), hook.timeoutMs);
  try {
    const response = await post(action, { headers, body: payload.stdinText, signal: link.signal });
    return { result: await readResponse(response, context.limitBytes), stubbed: [], remarks };
  } catch (error) {
    return { result: failureOf(error, { late: link.signal.aborted, context, timeoutMs: hook.timeoutMs }), stubbed: [], remarks };
  } finally {
    clearTimeout(timer);
    link.unlink();
  }
};

/** Connections by what they may reach: one that was opened into a private network is no way there for another hook. */
const CONNECTIONS = new Map<boolean, Connections>();

async function post(
  { url, allowPrivate }: HttpAction,
  request: { readonly headers: Record<string, string>; readonly body: string; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  // Node's HTTP client takes milliseconds to load: only hooks that post pay for it.
  const { openConnections, requestPinned } = await import("../lib/request.ts");
  const connections = CONNECTIONS.get(allowPrivate) ?? openConnections();
  CONNECTIONS.set(allowPrivate, connections);
  return requestPinned(new URL(url), { ...request, method: "POST", allowLoopback: true, allowPrivate, connections });
}

async function readResponse(response: IncomingMessage, limitBytes: number): Promise<RunResult> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status >= 300) {
    response.destroy();
    const redirected = status >= 300 && status < 400 ? "; redirects are not followed, configure the final address" : "";
    return failed(`the server answered ${status}${redirected}`);
  }
  const body = new CappedText(limitBytes);
  for await (const chunk of response) {
    if (Buffer.isBuffer(chunk)) body.write(chunk);
    if (body.over) return { kind: "oversized", limitBytes, code: null, stderr: "" };
  }
  const text = body.end();
  const value = parseJson(text);
  if (value === undefined)
    return { kind: "failed", fault: "answer", message: "the server's answer is not JSON", failure: isCutOff(text) ? "partialJson" : "badJson" };
  return { kind: "returned", value };
}

function failureOf(error: unknown, { late, context, timeoutMs }: { late: boolean; context: RunContext; timeoutMs: number }): RunResult {
  if (context.signal.aborted) return { kind: "skipped", why: "the caller cancelled the event" };
  if (late) return { kind: "timed-out", afterMs: timeoutMs };
  return { kind: "not-started", message: `the server can't be reached: ${messageOf(error)}`, failure: "refused" };
}

function headersOf(action: HttpAction, body: string, context: RunContext, remarks: string[]): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  for (const [name, value] of Object.entries(action.headers)) headers[name.toLowerCase()] = interpolate(value, action, context, remarks);
  return action.secret === null ? headers : { ...headers, ...signature(interpolate(action.secret, action, context, remarks), body, context.date()) };
}

/** `$NAME` and `${NAME}`, for the variables that the hook may name. */
function interpolate(text: string, { allowedEnv }: HttpAction, { env }: RunContext, remarks: string[]): string {
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced: string | undefined, bare: string | undefined) => {
    const name = braced ?? bare ?? "";
    if (allowedEnv && !allowedEnv.includes(name)) {
      remarks.push(`${whole} is not in allowedEnvVars and was left empty`);
      return "";
    }
    if (!Object.hasOwn(env, name)) remarks.push(`${whole} is not set and was left empty`);
    return (Object.hasOwn(env, name) ? env[name] : "") ?? "";
  });
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body. */
function signature(secret: string, body: string, date: Date): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(date.getTime() / 1_000));
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.from(secret);
  const mac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${mac}` };
}

function failed(message: string): RunResult {
  return { kind: "failed", fault: "http", message };
}
