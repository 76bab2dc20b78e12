/** A server's answer as text for a model. */
import { isObject, own, type JsonObject } from "../../lib/json.ts";
import { HeadTail } from "../tools/head-tail.ts";
import type { ToolOutcome } from "../tools/tool.ts";

/** What is kept of one answer. */
export const ANSWER_LIMIT_CHARACTERS = 1_048_576;

/** The texts of an answer one after another; what is no text is named. */
export function outcomeOf(answer: JsonObject): ToolOutcome {
  const content = own(answer, "content");
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  const structured = own(answer, "structuredContent");
  const texts = blocks.length === 0 && structured !== undefined ? [JSON.stringify(structured)] : blocks.filter(isObject).map(blockText);
  const kept = new HeadTail(ANSWER_LIMIT_CHARACTERS);
  kept.write(texts.join("\n"));
  return { output: kept.text(), isError: own(answer, "isError") === true };
}

function blockText(block: JsonObject): string {
  const type = String(own(block, "type"));
  const show = Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  return show ? show(block) : `(${type}, which can't be shown)`;
}

/** One row for each kind of content. */
const BLOCKS: { readonly [type: string]: (block: JsonObject) => string } = {
  text: (block) => word(block, "text"),
  image: (block) => `(image, ${word(block, "mimeType")}, ${sizeOf(block)} bytes)`,
  audio: (block) => `(audio, ${word(block, "mimeType")}, ${sizeOf(block)} bytes)`,
  resource_link: (block) => `(resource ${word(block, "uri")}: ${word(block, "name")})`,
  resource: (block) => {
    const resource = own(block, "resource");
    if (!isObject(resource)) return "(resource)";
    const text = own(resource, "text");
    return typeof text === "string" ? `(resource ${word(resource, "uri")})\n${text}` : `(resource ${word(resource, "uri")}, ${word(resource, "mimeType")})`;
  },
};

function word(block: JsonObject, key: string): string {
  const value = own(block, key);
  return typeof value === "string" ? value : "";
}

/** Bytes of base64 data. */
function sizeOf(block: JsonObject): number {
  return Math.floor((word(block, "data").replace(/=+$/, "").length * 3) / 4);
}
