import { readFile, stat } from "node:fs/promises";
import { defineTool, filledText, flag, optional, text } from "./define.ts";
import { placeOf } from "./place.ts";
import { standingAt, storeText } from "./store.ts";
import { toolError } from "./tool.ts";

/** A file above this is no file to be edited by a model. */
const LIMIT_BYTES = 64 * 1_048_576;

/** Replaces an exact text in a file, and nothing when it is not clear which one. */
export const editTool = defineTool({
  name: "Edit",
  description:
    "Replaces old_string by new_string in a text file. old_string must stand in the file exactly once, blanks and line breaks included; " +
    "with replace_all every one of them is replaced.",
  input: {
    file_path: filledText("The file to change"),
    old_string: filledText("The text to replace, exactly as it stands in the file"),
    new_string: text("The text to put in its place"),
    replace_all: optional(flag("Replace every place, not just one")),
  },
  run: async ({ file_path, old_string, new_string, replace_all }, context) => {
    if (old_string === new_string) return toolError("old_string and new_string are the same, so there is nothing to change");
    const path = placeOf(file_path, context);
    const before = await standingAt(path);
    if (before.kind === "nothing") return toolError(`${file_path} does not exist; use Write to create it`);
    if (before.kind === "folder") return toolError(`${file_path} is a folder`);
    if (before.kind === "special") return toolError(`${file_path} is not a regular file`);
    if ((await stat(path)).size > LIMIT_BYTES) return toolError(`${file_path} is larger than ${LIMIT_BYTES} bytes, which Edit does not change`);
    const content = decode(await readFile(path, { signal: context.signal }));
    if (content === undefined) return toolError(`${file_path} is not UTF-8 text, which Edit would spoil`);
    const change = findChange({ content, from: old_string, to: new_string });
    const places = occurrences(content, change.from);
    if (places === 0) return toolError(`old_string does not stand in ${file_path}; read the file and copy the text exactly`);
    if (places > 1 && replace_all !== true) {
      return toolError(`old_string stands in ${file_path} ${places} times; give more of the text around it, or set replace_all`);
    }
    context.signal.throwIfAborted();
    const pieces = content.split(change.from);
    await storeText(path, pieces.join(change.to));
    return { output: `Replaced ${pieces.length === 2 ? "1 place" : `${pieces.length - 1} places`} in ${file_path}.`, isError: false };
  },
});

/** The text, with its byte order mark; undefined for bytes that would not survive. */
function decode(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** In a file with Windows line ends a model's plain ones mean those. */
function findChange({ content, from, to }: { content: string; from: string; to: string }): { from: string; to: string } {
  if (!content.includes("\r\n") || content.includes(from)) return { from, to: content.includes("\r\n") && onlyCrlf(content) ? toCrlf(to) : to };
  return { from: toCrlf(from), to: toCrlf(to) };
}

function onlyCrlf(content: string): boolean {
  return !/(^|[^\r])\n/.test(content);
}

function toCrlf(lines: string): string {
  return lines.replaceAll(/\r?\n/g, "\r\n");
}

/** Also those that overlap: `aa` stands in `aaa` twice, and which one was meant is not clear. */
function occurrences(content: string, wanted: string): number {
  let found = 0;
  for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + 1)) found += 1;
  return found;
}
