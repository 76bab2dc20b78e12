/** Patterns of addresses, as `https://*.example.com/hooks/*`. Host and path are matched apart: a `*` in the host never reaches into the path. */

/** A compiled pattern. */
export interface UrlPattern {
  readonly text: string;
  /** The host where the pattern spells it out; null where it holds a `*`. */
  readonly host: string | null;
  readonly fits: (url: URL) => boolean;
}

/** Scheme, host, port and path; all but the host may be left out. */
const PARTS = /^(?:(\*|https?):\/\/)?(\[[0-9a-f:.]+\]|[^\s/:?#@[\]]+)(?::(\d{1,5}|\*))?(\/.*)?$/is;

/**
 * Compiles a pattern; undefined when it is none. Without a scheme any is meant, without a port the scheme's own, without a path none.
 * A `*` at the end of a pattern without a path stands for whatever may follow.
 */
export function compileUrlPattern(text: string): UrlPattern | undefined {
  const [, scheme = "*", written = "", port, path] = PARTS.exec(text.trim()) ?? [];
  const host = written.includes("*") ? written.toLowerCase() : canonicalHost(written);
  if (host === undefined || host === "") return undefined;
  const isOpen = path === undefined && text.trim().endsWith("*");
  const fits = (url: URL): boolean =>
    (scheme === "*" || url.protocol === `${scheme.toLowerCase()}:`) &&
    fitsStars(url.hostname, host) &&
    (port === undefined ? isOpen || url.port === "" : port === "*" || portOf(url) === Number(port)) &&
    (isOpen || fitsStars(`${url.pathname}${url.search}`, path ?? "/"));
  return { text, host: host.includes("*") ? null : host, fits };
}

/** One host has many spellings (`127.1`, upper case, other scripts): the one that a URL has. */
function canonicalHost(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** `*` is any text; each piece between stars is looked for once, from left to right. */
function fitsStars(text: string, pattern: string): boolean {
  const pieces = pattern.split("*");
  if (pieces.length === 1) return text === pattern;
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
