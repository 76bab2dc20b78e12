import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { count, defineTool, filledText, optional } from "./define.ts";
import { placeOf } from "./place.ts";
import { toolError } from "./tool.ts";

/** What one call gives at most. */
export const READ_LIMIT_BYTES = 1_048_576;

/** Reads a text file, whole or by lines; the text is given as it stands in the file. */
export const readTool = defineTool({
  name: "Read",
  description:
    "Reads a text file and gives its text exactly as it stands there. The path may be relative to the working folder. " +
    "For a part of a large file give offset (the first line, counted from 1) and limit (how many lines).",
  input: {
    file_path: filledText("The file to read"),
    offset: optional(count("The first line to give, counted from 1", 0)),
    limit: optional(count("How many lines to give", 1)),
  },
  run: async ({ file_path, offset, limit }, context) => {
    const path = placeOf(file_path, context);
    const found = await stat(path);
    if (found.isDirectory()) return toolError(`${file_path} is a folder; use Glob or Bash to see what is in it`);
    if (!found.isFile()) return toolError(`${file_path} is not a regular file`);
    const first = Math.max(offset ?? 1, 1);
    const lines = await readLines(path, { first, most: limit ?? Number.POSITIVE_INFINITY, signal: context.signal });
    if (lines.binary) return toolError(`${file_path} is a binary file (${found.size} bytes), which Read can't show`);
    if (lines.seen === 0 && lines.text === "") return { output: "(the file is empty)", isError: false };
    if (lines.text === "" && lines.seen < first) return toolError(`${file_path} has only ${lines.seen} lines; offset ${first} is beyond them`);
    return { output: `${lines.text}${noteFor(lines, first)}`, isError: false };
  },
});

interface Lines {
  readonly text: string;
  /** Lines begun up to where reading stopped. */
  readonly seen: number;
  readonly stopped: "end" | "lines" | "bytes";
  readonly binary: boolean;
}

function noteFor({ text, stopped, seen }: Lines, first: number): string {
  if (stopped === "end") return "";
  const reason = stopped === "bytes" ? `only the first ${READ_LIMIT_BYTES} bytes of them are given` : "the file goes on";
  return `${text.endsWith("\n") ? "" : "\n"}\n(lines ${first} to ${seen}; ${reason}; read on with offset ${stopped === "bytes" ? seen : seen + 1})`;
}

const NEWLINE = 0x0a;

/** Reads no further than it must: bytes are counted, so a file of any size and any line length is bounded. */
async function readLines(path: string, { first, most, signal }: { first: number; most: number; signal: AbortSignal }): Promise<Lines> {
  const kept: Buffer[] = [];
  const last = first + most - 1;
  let line = 1;
  let room = READ_LIMIT_BYTES;
  let begun = false;
  let stopped: Lines["stopped"] = "end";
  for await (const chunk of createReadStream(path, { signal })) {
    if (!Buffer.isBuffer(chunk)) continue;
    if (chunk.includes(0)) return { text: "", seen: line, stopped, binary: true };
    let at = 0;
    while (at < chunk.length && stopped === "end") {
      if (line > last) {
        stopped = "lines";
        break;
      }
      const newline = chunk.indexOf(NEWLINE, at);
      const end = newline < 0 ? chunk.length : newline + 1;
      if (line >= first) {
        const piece = chunk.subarray(at, Math.min(end, at + room));
        kept.push(piece);
        room -= piece.length;
        if (piece.length < end - at) stopped = "bytes";
      }
      begun = newline < 0;
      if (newline >= 0 && stopped === "end") line += 1;
      at = end;
    }
    if (stopped !== "end") break;
  }
  const seen = stopped === "bytes" ? line : begun ? line : line - 1;
  return { text: wholeCharacters(Buffer.concat(kept), stopped), seen, stopped, binary: false };
}

/** A cut by bytes may split the last character, which is then left for the next call. */
function wholeCharacters(bytes: Buffer, stopped: Lines["stopped"]): string {
  const text = bytes.toString("utf8");
  return stopped === "bytes" ? text.replace(/\uFFFD$/, "") : text;
}
