/** A fake model server on loopback: the Anthropic Messages API, OpenAI's chat completions and responses, streamed or whole, as scripted. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { isObject, parseJson, type JsonObject } from "../lib/json.ts";
import { sseText, WIRES, type FakeAnswer, type WireRow } from "./model-wire.ts";

export type { FakeAnswer, FakeToolCall } from "./model-wire.ts";

/** What the server does with one request. */
export type FakeReply =
  /** `eventMs` passes between two events: a slow stream. */
  | ({ readonly kind: "answer"; readonly eventMs?: number } & FakeAnswer)
  | { readonly kind: "error"; readonly status: number; readonly message?: string; readonly headers?: { readonly [name: string]: string } }
  /** A body that is no JSON of the protocol, as a proxy sends it. */
  | { readonly kind: "body"; readonly status: number; readonly body: string; readonly headers?: { readonly [name: string]: string } }
  /** A stream that stops after some events: the connection is cut, ends as if all were said, or an error event comes. */
  | ({ readonly kind: "broken"; readonly events: number; readonly ending: "cut" | "closed" | "error-event" } & FakeAnswer)
  /** The stream begins, and after these events nothing more comes. */
  | ({ readonly kind: "silent"; readonly events: number } & FakeAnswer);

/** A request as it came. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: JsonObject;
  /** How the exchange ended: all was sent, or the client closed the connection first. */
  readonly ended: Promise<"sent" | "client-closed">;
}

/** A fake model server that listens on loopback. */
export interface ModelServer {
  /** `http://127.0.0.1:port`, without `/v1`. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Resolves with the request of that number, counted from 0, once its first bytes were answered. */
  answering(index: number): Promise<SeenRequest>;
  /** Replies for the requests to come, after those that are left. */
  script(...replies: readonly FakeReply[]): void;
  close(): Promise<void>;
}

/** Starts a server that gives these replies, one for each request; a request beyond them is refused with 500. */
export async function startModelServer(replies: readonly FakeReply[] = []): Promise<ModelServer> {
  const left = [...replies];
  const requests: SeenRequest[] = [];
  const answered: PromiseWithResolver<SeenRequest>[] = [];
  const turn = (index: number): PromiseWithResolver<SeenRequest> => (answered[index] ??= withResolver());
  const server = createServer((message, response) => {
    void handle(message, response).catch(() => response.destroy());
  });
  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const ended = new Promise<"sent" | "client-closed">((resolve) => {
      response.on("close", () => resolve(response.writableFinished ? "sent" : "client-closed"));
    });
    const parsed = parseJson(await bodyOf(message));
    const body = isObject(parsed) ? parsed : {};
    const path = message.url ?? "";
    const seen: SeenRequest = { path, headers: headersOf(message), body, ended };
    const index = requests.push(seen) - 1;
    const wire = WIRES.find((row) => row.path === path);
    const reply: FakeReply = left.shift() ?? { kind: "error", status: 500, message: `the fake server has no reply ${index + 1}` };
    if (wire) await give(reply, wire, body, response, () => turn(index).resolve(seen));
    else send(response, 404, { error: { message: `the fake server has no ${path}` } });
    turn(index).resolve(seen);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    requests,
    answering: async (index) => turn(index).promise,
    script: (...more) => void left.push(...more),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function give(reply: FakeReply, wire: WireRow, body: JsonObject, response: ServerResponse, began: () => void): Promise<void> {
  const model = String(body["model"]);
  switch (reply.kind) {
    case "error":
      return send(response, reply.status, wire.error(reply.message ?? "scripted", reply.status), reply.headers);
    case "body":
      response.writeHead(reply.status, reply.headers);
      return void response.end(reply.body);
    case "answer":
      if (body["stream"] !== true) return send(response, 200, wire.whole(reply, model));
      await stream(response, wire.events(reply, model).map(sseText), { eventMs: reply.eventMs ?? 0, began });
      return void response.end(wire.end);
    case "broken": {
      await stream(response, wire.events(reply, model).slice(0, reply.events).map(sseText), { eventMs: 0, began });
      if (reply.ending === "cut") return void response.destroy();
      return void response.end(reply.ending === "error-event" ? sseText(wire.errorEvent("scripted overload")) : "");
    }
    case "silent":
      return stream(response, wire.events(reply, model).slice(0, reply.events).map(sseText), { eventMs: 0, began });
  }
}

async function stream(
  response: ServerResponse,
  events: readonly string[],
  { eventMs, began }: { readonly eventMs: number; readonly began: () => void },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  for (const event of events) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => void response.write(event, () => resolve()));
    began();
    if (eventMs > 0) await wait(eventMs);
  }
}

function send(response: ServerResponse, status: number, body: JsonObject, headers: { readonly [name: string]: string } = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function headersOf({ headers }: IncomingMessage): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

interface PromiseWithResolver<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function withResolver<T>(): PromiseWithResolver<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
