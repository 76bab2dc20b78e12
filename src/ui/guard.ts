/** Who may talk to the page's server: this machine, from the page itself, with the token. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";

/** What every answer carries: nothing foreign is loaded, framed, sniffed, kept or told. */
export const SECURITY_HEADERS: { readonly [name: string]: string } = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-store",
};

/** Sets the headers on every answer, errors included. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.res.headers.set(name, value);
};

/** Refuses other names of this machine (DNS rebinding) and pages of other origins. */
export function sameSite(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port()}`);
    const host = context.req.header("host") ?? "";
    if (!hosts.includes(host)) return refuse(context, 421, "this server answers to its loopback address only");
    const origin = context.req.header("origin");
    if (origin !== undefined && origin !== `http://${host}`) return refuse(context, 403, "a page of another origin may not ask");
    const site = context.req.header("sec-fetch-site");
    if (site !== undefined && site !== "same-origin" && site !== "none") return refuse(context, 403, "a page of another site may not ask");
    return next();
  };
}

/** Demands the token; it stands in the fragment of the page's address, which no browser sends anywhere. */
export function demandToken(token: string): MiddlewareHandler {
  const wanted = digest(`Bearer ${token}`);
  return async (context, next) => {
    const given = digest(context.req.header("authorization") ?? "");
    if (!timingSafeEqual(given, wanted)) return refuse(context, 401, "the token is missing or wrong; open the address that `snaphook ui` printed");
    return next();
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function refuse(context: Context, status: 401 | 403 | 421, message: string): Response {
  return context.json({ error: message }, status);
}
