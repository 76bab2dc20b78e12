import { STATUS_CODES } from "node:http";
import type { AddressOptions } from "../../lib/address.ts";
import { htmlToText } from "../../lib/html-text.ts";
import { defineTool, filledText, text } from "./define.ts";
import { fetchPage, FETCH_LIMIT_BYTES, type FetchedPage } from "./fetch-page.ts";
import { HeadTail } from "./head-tail.ts";
import { toolError, type Tool, type ToolOutcome } from "./tool.ts";

/** What is given of one page. */
export const PAGE_LIMIT_CHARACTERS = 100_000;

/** Gets a page of the open network as text. */
export const webFetchTool: Tool = webFetch({});

/** The tool with other rules about addresses. */
export function webFetch(options: AddressOptions): Tool {
  return defineTool({
    name: "WebFetch",
    description:
      "Gets a page from the web and gives its text after the prompt. Private and local addresses can't be reached; a redirect to another host is not followed but told.",
    input: { url: filledText("The http or https address"), prompt: text("What to look for in the page") },
    run: async ({ url, prompt }, { signal }) => {
      if (!URL.canParse(url)) return toolError(`url ${url} is not a URL`);
      const address = new URL(url);
      if (!/^https?:$/.test(address.protocol)) return toolError(`url is not an http or https address (${address.protocol})`);
      if (address.username !== "" || address.password !== "") return toolError("url holds a user name or password, which is not sent");
      return outcomeOf(await fetchPage(address, { ...options, signal }), { url, prompt });
    },
  });
}

function outcomeOf(page: FetchedPage, { url, prompt }: { url: string; prompt: string }): ToolOutcome {
  if (page.kind === "failed") return toolError(`${url} could not be fetched: ${page.message}`);
  if (page.kind === "elsewhere") return toolError(`${url} redirects to another host: ${page.url}. Fetch that address if it is what you want.`);
  const kept = new HeadTail(PAGE_LIMIT_CHARACTERS);
  const content = textOf(page);
  if (content === undefined) return toolError(`${page.url} is not text (${page.type || "no content type"}, ${page.body.length} bytes)`);
  kept.write(content);
  const head = prompt.trim() === "" ? "" : `${prompt.trim()}\n\n`;
  const cut = page.cut ? `\n\n(only the first ${FETCH_LIMIT_BYTES} bytes were read)` : "";
  const status = page.status >= 400 ? `The server answered ${page.status} ${STATUS_CODES[page.status] ?? ""}\n\n` : "";
  return { output: `${head}${status}${kept.text()}${cut}`, isError: page.status >= 400 };
}

/** Undefined for what is no text. */
function textOf({ type, body }: Extract<FetchedPage, { kind: "page" }>): string | undefined {
  if (body.subarray(0, 8_192).includes(0)) return undefined;
  const decoded = decode(body, /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? "utf-8");
  return /html/i.test(type) || /^\s*<(?:!doctype html|html)/i.test(decoded.slice(0, 200)) ? htmlToText(decoded) : decoded;
}

/** A charset that nobody knows is read as UTF-8. */
function decode(body: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString("utf8");
  }
}
