/** JSON-RPC 2.0 around sessions [S11, W11]: one message a line, either way. */
import { resolve } from "node:path";
import * as v from "valibot";
import { messageOf } from "../lib/errors.ts";
import { isObject, parseJson, type JsonObject } from "../lib/json.ts";
import { SnaphookError } from "../model/errors.ts";
import type { Recorder } from "../model/recorder.ts";
import { MODES } from "../model/rule.ts";
import { answeredElsewhere, type Approval, type ApprovalRequest, type Mouth } from "../session/approvals.ts";
import { createSession, type SessionOptions } from "../session/create.ts";
import type { Session } from "../session/session.ts";

/** What a bridge needs: where sessions run, and how to reach the client. */
export interface BridgeOptions {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly send: (message: object) => void;
  /** The last word on a session's options before it is created. */
  readonly prepare?: (options: SessionOptions) => SessionOptions;
  /** Takes down what the sessions decide. */
  readonly recorder?: Recorder;
}

/** Errors of the protocol. */
const ERRORS = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, internal: -32_603 } as const;

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const SessionId = v.object({ sessionId: v.string() });
const Create = v.object({
  cwd: v.optional(v.string()),
  model: v.optional(v.string()),
  mode: v.optional(v.picklist(MODES)),
  trust: v.optional(v.boolean()),
  resume: v.optional(v.union([v.string(), v.literal(true)])),
});
const Prompt = v.object({ sessionId: v.string(), prompt: v.string() });
const Answer = v.object({ answer: v.picklist(["allow", "always", "deny"]), text: v.optional(v.string()) });

/** One client and its sessions. */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #asked = new Map<string, (response: JsonObject) => void>();
  readonly #working = new Set<Promise<void>>();
  #nextId = 1;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Takes one line. Answers come through `send`, whenever they are ready. */
  receive(line: string): void {
    if (line.trim() === "") return;
    const message = parseJson(line);
    if (message === undefined) return this.#fail(null, new RpcError(ERRORS.parse, "the line is not JSON"));
    if (!isObject(message)) return this.#fail(null, new RpcError(ERRORS.request, "a message is an object"));
    const id = typeof message["id"] === "string" || typeof message["id"] === "number" ? message["id"] : null;
    if (typeof message["method"] !== "string") {
      if ("result" in message || "error" in message) this.#asked.get(String(id))?.(message);
      else this.#fail(id, new RpcError(ERRORS.request, "a message has a method, a result or an error"));
      return undefined;
    }
    // Without an id it is a notification, which is never answered, whatever is wrong with it.
    const answered = "id" in message ? id : undefined;
    const work = this.#answer(answered, message["method"], message["params"]).finally(() => this.#working.delete(work));
    this.#working.add(work);
    return undefined;
  }

  /** Ends every session: the client is gone. */
  async close(): Promise<void> {
    for (const answer of this.#asked.values()) answer({ error: { message: "the client is gone" } });
    await Promise.all([...this.#sessions.values()].map(async (session) => session.end("other")));
    this.#sessions.clear();
    await Promise.all(this.#working);
  }

  async #answer(id: string | number | null | undefined, method: string, params: unknown): Promise<void> {
    try {
      const answer = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
      if (!answer) throw new RpcError(ERRORS.method, `there is no method ${method}; there are ${Object.keys(this.#methods).join(", ")}`);
      const result = await answer(params ?? {});
      if (id !== undefined) this.#options.send({ jsonrpc: "2.0", id, result });
    } catch (error) {
      if (id !== undefined) this.#fail(id, error);
    }
  }

  readonly #methods: { readonly [name: string]: (params: unknown) => Promise<object> } = {
    "session.create": async (params) => this.#create(read(Create, params)),
    "session.prompt": async (params) => {
      const { sessionId, prompt } = read(Prompt, params);
      const { reason, text, error } = await this.#session(sessionId).prompt(prompt);
      return { reason, text, ...(error !== undefined && { error }) };
    },
    "session.cancel": async (params) => {
      this.#session(read(SessionId, params).sessionId).cancel();
      return {};
    },
    "session.end": async (params) => {
      const { sessionId } = read(SessionId, params);
      await this.#session(sessionId).end("other");
      this.#sessions.delete(sessionId);
      return {};
    },
  };

  async #create({ cwd, model, mode, trust, resume }: v.InferOutput<typeof Create>): Promise<object> {
    // Lines of a session that starts name it by the id it will have; the client knows the id from the answer.
    const named = { id: "" };
    const options: SessionOptions = {
      cwd: resolve(this.#options.cwd, cwd ?? "."),
      env: this.#options.env,
      mouths: [this.#mouth(named)],
      ...(this.#options.recorder && { recorder: this.#options.recorder }),
      onLine: (line) => this.#options.send({ jsonrpc: "2.0", method: "session.event", params: { ...line, sessionId: named.id } }),
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { mode }),
      ...(trust !== undefined && { trust }),
      ...(resume !== undefined && { resume }),
      onCreated: (created) => void (named.id = created),
    };
    const session = await createSession(this.#options.prepare?.(options) ?? options);
    this.#sessions.set(session.id, session);
    return { sessionId: session.id };
  }

  /** Asks the client. An error, or a client that vanished, is nobody. */
  #mouth(named: { readonly id: string }): Mouth {
    return {
      ask: async (request: ApprovalRequest, signal: AbortSignal): Promise<Approval | undefined> => {
        const id = `approval-${this.#nextId++}`;
        const { tool, input, reason } = request;
        try {
          const response = await new Promise<JsonObject>((answered, reject) => {
            this.#asked.set(id, answered);
            signal.addEventListener("abort", () => reject(new Error("no longer asked")), { once: true });
            this.#options.send({ jsonrpc: "2.0", id, method: "approval.request", params: { sessionId: named.id, tool, input, reason, agent: request.agent } });
          });
          const parsed = v.safeParse(Answer, response["result"]);
          return parsed.success
            ? { answer: parsed.output.answer, by: "bridge", ...(parsed.output.text !== undefined && { text: parsed.output.text }) }
            : undefined;
        } catch {
          // Whoever was faster is named, so that the client can take its question away.
          const { answer, by } = answeredElsewhere(signal) ?? { answer: "none", by: "cancelled" };
          this.#options.send({ jsonrpc: "2.0", method: "approval.answered", params: { sessionId: named.id, requestId: id, tool, answer, by } });
          return undefined;
        } finally {
          this.#asked.delete(id);
        }
      },
    };
  }

  #session(id: string): Session {
    const session = this.#sessions.get(id);
    if (!session) throw new RpcError(ERRORS.params, `there is no session ${id}; create one with session.create`);
    return session;
  }

  #fail(id: string | number | null, error: unknown): undefined {
    // What our caller did wrong has a row in the table of errors; a client says it with its params.
    const code = error instanceof RpcError ? error.code : error instanceof SnaphookError ? ERRORS.params : ERRORS.internal;
    this.#options.send({ jsonrpc: "2.0", id, error: { code, message: messageOf(error) } });
    return undefined;
  }
}

function read<const Schema extends v.GenericSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, params);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new RpcError(ERRORS.params, `${v.getDotPath(issue) ?? "params"}: ${issue.message}`);
}
