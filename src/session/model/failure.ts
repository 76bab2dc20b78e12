/** What went wrong with a provider, in one plain line. */
import { isObject, own, parseJson } from "../../lib/json.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Failure } from "./retry.ts";

/** Whom the call was made to. */
export interface Callee {
  /** As "Anthropic", or "Ollama at 127.0.0.1:11434". */
  readonly title: string;
  readonly model: string;
  /** The variable that holds the key. */
  readonly keyVariable: string;
  readonly apiKey: string | undefined;
  readonly addressVariable: string;
  readonly date: () => Date;
}

/** A stream that ended before its answer was complete. */
export class BrokenStream extends Error {}
/** Nothing arrived for too long. */
export class Silence extends Error {}

/** Reads whatever the SDK, the network or the server threw. */
export function failureOf(error: unknown, callee: Callee): Failure {
  const { what, advice, retry } = explain(error, oneLine(wordsOf(error)), callee);
  const whole = `${callee.title}: ${what}`;
  return { what: callee.apiKey ? whole.replaceAll(callee.apiKey, "[key]") : whole, advice, retry, retryAfterMs: retryAfterMs(error, callee.date) };
}

type Explained = Pick<Failure, "what" | "advice" | "retry">;

function explain(error: unknown, said: string, callee: Callee): Explained {
  if (error instanceof Silence) return { what: said, advice: "try again, or use another model.", retry: false };
  const status = statusOf(error);
  if (status !== undefined) return statusRow(status, said)(callee, said, status);
  if (error instanceof BrokenStream || /stream ended without/.test(said)) return { what: "the answer broke off", advice: "try again.", retry: true };
  const cause = networkCause(error);
  if (cause !== undefined && UNREACHABLE.test(cause)) {
    return { what: `it can't be reached (${cause})`, advice: `check that it runs, the network, and ${callee.addressVariable}.`, retry: true };
  }
  if (cause !== undefined && UNTRUSTED.test(cause))
    return { what: `its certificate is not trusted (${cause})`, advice: "set NODE_EXTRA_CA_CERTS to the file of its authority.", retry: false };
  if (cause !== undefined) return { what: `the connection broke (${cause})`, advice: "check the network and try again.", retry: true };
  if (isTransient(error)) return { what: `it failed in the middle (${said})`, advice: LATER, retry: true };
  return { what: `the call failed (${said})`, advice: "try again, or use another model.", retry: errorName(error) === "AI_JSONParseError" };
}

const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;
const UNTRUSTED = /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO/;
const LATER = "try again in a minute, or use another model.";

type StatusRow = (callee: Callee, said: string, status: number) => Explained;

// prettier-ignore
const STATUSES: readonly (readonly [test: (status: number, said: string) => boolean, row: StatusRow])[] = [
  [(status) => status >= 300 && status < 400, ({ addressVariable }, _, status) => ({ what: `it answers with a redirect (${status})`, advice: `set ${addressVariable} to the final address; redirects are not followed.`, retry: false })],
  [(status) => status === 401,                ({ keyVariable }, _, status) => ({ what: `the key was refused (${status})`, advice: `check ${keyVariable}.`, retry: false })],
  [(status) => status === 403,                ({ keyVariable, model }, said, status) => ({ what: `this key may not use ${model} (${status}, ${said})`, advice: `check ${keyVariable}, or use another model.`, retry: false })],
  [(status, said) => status === 402 || /insufficient_quota|exceeded your current quota|credit balance/i.test(said), (_, said, status) => ({ what: `the account has no credit (${status}, ${said})`, advice: "add credit there, or use another model.", retry: false })],
  [(status) => status === 404,                ({ model, addressVariable }, said, status) => ({ what: `there is no model "${model}" (${status}, ${said})`, advice: `check the name after --model, and ${addressVariable} if it is set.`, retry: false })],
  [(status, said) => status === 413 || /prompt is too long|context.{0,20}(length|window)|maximum context|too many tokens/i.test(said), ({ model }, said, status) => ({ what: `the conversation is too long for ${model} (${status}, ${said})`, advice: "clear it with /clear, or use a model with a larger window.", retry: false })],
  [(status) => status === 429,                (_, said, status) => ({ what: `too many requests (${status}, ${said})`, advice: LATER, retry: true })],
  [(status) => status === 529 || status === 503, (_, said, status) => ({ what: `it is overloaded (${status}, ${said})`, advice: LATER, retry: true })],
  [(status) => status === 408 || status >= 500,  (_, said, status) => ({ what: `it failed (${status}, ${said})`, advice: LATER, retry: true })],
];

function statusRow(status: number, said: string): StatusRow {
  const refused: StatusRow = () => ({
    what: `the call was refused (${status}, ${said})`,
    advice: "this is a mistake in the call: use another model, or report it.",
    retry: false,
  });
  return STATUSES.find(([test]) => test(status, said))?.[1] ?? refused;
}

function statusOf(error: unknown): number | undefined {
  const status = isObject(error) ? error["statusCode"] : undefined;
  // A stream that can't be read after a good status is no answer of that status.
  return typeof status === "number" && (status < 200 || status >= 300) ? status : undefined;
}

/** The server's own words: the message of a JSON body, of an error event, or of the exception. */
function wordsOf(error: unknown): string {
  const body = isObject(error) && typeof error["responseBody"] === "string" ? parseJson(error["responseBody"]) : undefined;
  return messageIn(body) ?? messageIn(error) ?? messageOf(error);
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  const inner = own(value, "error");
  const message = value["message"];
  const code = own(value, "code");
  if (inner !== undefined && inner !== null) return messageIn(inner);
  if (typeof message !== "string") return undefined;
  return typeof code === "string" && !(value instanceof Error) ? `${message} [${code}]` : message;
}

/** The innermost code or message of a failed connection. */
function networkCause(error: unknown): string | undefined {
  let at: unknown = error;
  let network = false;
  for (let depth = 0; at instanceof Error && depth < LIMIT_CAUSES; depth++) {
    const code = "code" in at && typeof at.code === "string" ? at.code : undefined;
    if (code !== undefined && /^(E[A-Z]|UND_ERR|CERT|SELF_SIGNED|DEPTH_ZERO|ERR_TLS|UNABLE_TO)/.test(code)) return code;
    network ||= /fetch failed|terminated|cannot connect|socket|network/i.test(at.message);
    at = at.cause;
  }
  return network ? oneLine(messageOf(error)) : undefined;
}

const LIMIT_CAUSES = 8;

/** Error events of a stream carry a word instead of a status. */
function isTransient(error: unknown): boolean {
  const words = isObject(error) ? [own(error, "type"), own(error, "code"), messageIn(error)].join(" ") : String(error);
  return /overloaded|rate.?limit|server_error|api_error|internal|unavailable|timeout/i.test(words);
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function retryAfterMs(error: unknown, date: () => Date): number | null {
  const headers = isObject(error) && isObject(error["responseHeaders"]) ? error["responseHeaders"] : {};
  const exact = Number(own(headers, "retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const after = own(headers, "retry-after");
  if (typeof after !== "string" || after.trim() === "") return null;
  const seconds = Number(after);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(after) - date().getTime();
  return ms >= 0 ? ms : null;
}

const LIMIT_CHARACTERS = 300;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > LIMIT_CHARACTERS ? `${line.slice(0, LIMIT_CHARACTERS)}…` : line;
}
