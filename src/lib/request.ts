/** One HTTP request to an address that was looked at: what the name leads to is tested, and the connection goes just there. */
import { lookup as resolveName, type LookupAddress } from "node:dns";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { closedAddress, type AddressOptions } from "./address.ts";

/** What to send, and which addresses may be reached. */
export interface PinnedRequest extends AddressOptions {
  readonly method: "GET" | "POST";
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Connections to use again; without, each request makes its own. */
  readonly connections?: Connections;
}

/** Connections that stay open between requests: an address is tested when its connection is made. */
export interface Connections {
  readonly "http:": HttpAgent;
  readonly "https:": HttpsAgent;
}

/** Connections for requests that may reach the same addresses. An idle one keeps no process alive. */
export function openConnections(): Connections {
  return { "http:": new HttpAgent({ keepAlive: true, timeout: IDLE_MS }), "https:": new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }) };
}

/** Below the five seconds after which most servers close an idle connection. */
const IDLE_MS = 4_000;

/** Sends a request and resolves with the head of the answer; no redirect is followed. Rejects when a name leads to a closed address. */
export async function requestPinned(url: URL, request: PinnedRequest): Promise<IncomingMessage> {
  // Node asks no lookup about an address.
  const literal = isIP(url.hostname.replace(/^\[|\]$/g, "")) === 0 ? undefined : closedAddress(url.hostname, request);
  if (literal !== undefined) throw new Error(`${url.hostname} is not a public address (${literal})`);
  try {
    return await send(url, request);
  } catch (error) {
    // A server may close an idle connection in the very moment in which it is used again; nothing of the request was read then.
    if (error instanceof StaleConnection) return send(url, request);
    throw error;
  }
}

class StaleConnection extends Error {}

async function send(url: URL, { method, headers, body, signal, connections, ...options }: PinnedRequest): Promise<IncomingMessage> {
  const protocol = url.protocol === "https:" ? "https:" : "http:";
  const settings: RequestOptions = { method, headers, signal, lookup: openLookup(options), agent: connections?.[protocol] ?? false };
  return new Promise((resolve, reject) => {
    const request = protocol === "https:" ? httpsRequest(url, settings, resolve) : httpRequest(url, settings, resolve);
    request.on("error", (error) => reject(request.reusedSocket && "code" in error && error.code === "ECONNRESET" ? new StaleConnection(error.message) : error));
    request.end(body);
  });
}

/** A lookup that gives only open addresses: the connection is made to what was tested, so a name can't change its mind in between. */
function openLookup(options: AddressOptions): LookupFunction {
  return (name, settings, done) => {
    resolveName(name, { ...settings, all: true }, (error, addresses: readonly LookupAddress[]) => {
      if (error) return done(error, "", 0);
      const closed = addresses.map(({ address }) => closedAddress(address, options)).find((reason) => reason !== undefined);
      const [first] = addresses;
      if (closed !== undefined || !first) return done(new Error(`${name} leads to no public address (${closed ?? "none"})`), "", 0);
      if (settings.all) return done(null, [...addresses]);
      return done(null, first.address, first.family);
    });
  };
}
