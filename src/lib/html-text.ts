/** HTML as readable text: no markup, links kept. */

const ENTITIES: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  copy: "©",
  laquo: "«",
  raquo: "»",
};

/** Elements whose content nobody reads. */
const SILENT = new Set("script style title template svg noscript iframe object".split(" "));
/** Elements that stand on lines of their own. */
const LINES = new Set("address article aside body br dd div dl dt fieldset figcaption figure footer form header hr li main nav section td th tr".split(" "));
/** Elements with a blank line around them. */
const PARAGRAPHS = new Set("p h1 h2 h3 h4 h5 h6 pre table ul ol blockquote".split(" "));
/** Stands for a blank that must survive, until the text is tidied. */
const KEPT_BLANK = "\uE000";

/** The text of a page. It walks tag by tag in one pass, so no page can make it slow. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  const title = /<title[^>]{0,200}>([^<]{0,1000})/i.exec(html)?.[1];
  if (title !== undefined) parts.push(`${decodeEntities(title).trim()}\n\n`);
  let link: string | undefined;
  let inPre = false;
  const unclosed = new Set<string>();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    parts.push(plain(html.slice(at, open < 0 ? html.length : open), inPre));
    if (open < 0) break;
    at = afterTag(html, open);
    const tag = html.slice(open, at);
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? "";
    const closes = tag.startsWith("</");
    if (tag === "<") parts.push("<");
    if (SILENT.has(name) && !closes && !tag.endsWith("/>")) at = afterClosing(html, { name, from: at, unclosed });
    if (LINES.has(name)) parts.push("\n");
    if (PARAGRAPHS.has(name)) parts.push("\n\n");
    if (name === "pre") inPre = !closes;
    if (name === "li" && !closes) parts.push("- ");
    if (name !== "a") continue;
    if (closes && link !== undefined) parts.push(` (${link})`);
    link = closes ? undefined : hrefOf(tag);
  }
  return tidy(parts.join(""));
}

function plain(text: string, inPre: boolean): string {
  const decoded = decodeEntities(text.replaceAll(KEPT_BLANK, ""));
  return inPre ? decoded.replaceAll(" ", KEPT_BLANK).replaceAll("\t", KEPT_BLANK.repeat(4)) : decoded.replace(/\s+/g, " ");
}

/** Where a tag, comment or declaration ends; one past a lone `<`. */
function afterTag(html: string, open: number): number {
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 4);
  if (!/[a-z/!?]/i.test(html[open + 1] ?? "")) return open + 1;
  let quote = "";
  for (let at = open + 1; at < html.length; at++) {
    const character = html[at] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === ">") return at + 1;
    else if ((character === '"' || character === "'") && html[at - 1] === "=") quote = character;
  }
  return html.length;
}

/** What was once sought in vain is not sought again: a page of opening tags would take for ever. */
function afterClosing(html: string, { name, from, unclosed }: { name: string; from: number; unclosed: Set<string> }): number {
  if (unclosed.has(name)) return from;
  const closing = new RegExp(`</${name}\\b`, "gi");
  closing.lastIndex = from;
  const found = closing.exec(html);
  if (found) return after(html, ">", found.index);
  unclosed.add(name);
  return from;
}

function after(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found < 0 ? html.length : found + text.length;
}

/** Links within a page and to scripts lead a reader nowhere. */
function hrefOf(tag: string): string | undefined {
  const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag);
  const url = decodeEntities(href?.[1] ?? href?.[2] ?? href?.[3] ?? "").trim();
  return url === "" || url.startsWith("#") || /^javascript:/i.test(url) ? undefined : url;
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number.parseInt(decimal, 10);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
    },
  );
}

function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/ {2,}/g, " ").trim());
  return lines
    .filter((line, index) => line !== "" || (lines[index - 1] ?? "") !== "")
    .join("\n")
    .trim()
    .replaceAll(KEPT_BLANK, " ");
}
