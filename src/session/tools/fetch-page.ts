/** Gets one page from the open network: public addresses only, checked where the connection is made. */
import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { AddressOptions } from "../../lib/address.ts";
import { messageOf } from "../../lib/errors.ts";
import { requestPinned } from "../../lib/request.ts";

/** How long a page may take. */
export const FETCH_LIMIT_MS = 30_000;
/** What is read of a page. */
export const FETCH_LIMIT_BYTES = 5 * 1_048_576;
const LIMIT_HOPS = 5;
/** Where a redirect may lead from a protocol: never from a closed letter to an open card. */
const NEXT_PROTOCOLS: { readonly [protocol: string]: readonly string[] } = { "http:": ["http:", "https:"], "https:": ["https:"] };

/** What came back. */
export type FetchedPage =
  | { readonly kind: "page"; readonly status: number; readonly type: string; readonly body: Buffer; readonly url: string; readonly cut: boolean }
  | { readonly kind: "elsewhere"; readonly url: string }
  | { readonly kind: "failed"; readonly message: string };

/** Gets a page; redirects are followed on the same host only. */
export async function fetchPage(address: URL, options: AddressOptions & { readonly signal: AbortSignal }): Promise<FetchedPage> {
  const limit = AbortSignal.timeout(FETCH_LIMIT_MS);
  const signal = AbortSignal.any([options.signal, limit]);
  let url = address;
  try {
    for (let hop = 0; hop <= LIMIT_HOPS; hop++) {
      const response = await requestPinned(url, { ...options, method: "GET", headers: HEADERS, signal });
      const { location } = response.headers;
      const status = response.statusCode ?? 0;
      if (status < 300 || status >= 400 || location === undefined) return await pageOf(response, url);
      response.destroy();
      if (!URL.canParse(location, url.href)) return { kind: "failed", message: `it redirects to ${location}, which is no URL` };
      const next = new URL(location, url);
      if (next.host !== url.host || !NEXT_PROTOCOLS[url.protocol]?.includes(next.protocol)) return { kind: "elsewhere", url: next.href };
      url = next;
    }
    return { kind: "failed", message: `it redirects more than ${LIMIT_HOPS} times` };
  } catch (error) {
    options.signal.throwIfAborted();
    return { kind: "failed", message: limit.aborted ? `it took longer than ${FETCH_LIMIT_MS} ms` : messageOf(error) };
  }
}

const HEADERS = { "user-agent": "snaphook", accept: "text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.1", "accept-encoding": "gzip, deflate, br" };

const DECODERS: { readonly [encoding: string]: (bytes: Buffer, limit: { maxOutputLength: number }) => Buffer } = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

async function pageOf(response: IncomingMessage, url: URL): Promise<FetchedPage> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > FETCH_LIMIT_BYTES) break;
  }
  response.destroy();
  const encoding = response.headers["content-encoding"] ?? "";
  const raw = Buffer.concat(chunks);
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (decoder && bytes > FETCH_LIMIT_BYTES) return { kind: "failed", message: `it is larger than ${FETCH_LIMIT_BYTES} bytes` };
  const body = decoder ? decoder(raw, { maxOutputLength: 4 * FETCH_LIMIT_BYTES }) : raw.subarray(0, FETCH_LIMIT_BYTES);
  return { kind: "page", status: response.statusCode ?? 0, type: response.headers["content-type"] ?? "", body, url: url.href, cut: bytes > FETCH_LIMIT_BYTES };
}
