/** Stdin and stdout by their descriptors: Node's streams around them cost a tenth of a start. */
import { fstatSync, readSync, statSync, writeSync } from "node:fs";
import { codeOf } from "../lib/errors.ts";

const CHUNK_BYTES = 65_536;

/** All of stdin as text; nothing, where a person sits at it. */
export async function readInput(): Promise<string> {
  if (mayBeTerminal() && process.stdin.isTTY) return "";
  const chunks: Buffer[] = [];
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const bytes = readSync(0, chunk);
      if (bytes === 0) break;
      chunks.push(chunk.subarray(0, bytes));
    }
  } catch (error) {
    // A parent may have made its end of a shared pipe non-blocking, and with it ours.
    if (codeOf(error) === "EAGAIN") for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    else if (codeOf(error) !== "EOF") throw error;
  }
  const [first] = chunks;
  return (first && chunks.length === 1 ? first : Buffer.concat(chunks)).toString("utf8");
}

/** To ask Node whether it is one takes as long as half a start, and `/dev/null` is none. */
function mayBeTerminal(): boolean {
  const stdin = fstatSync(0);
  return stdin.isCharacterDevice() && stdin.rdev !== statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
}

/** Writes text to stdout or stderr. Who has stopped reading is not told again. */
export function writeOutput(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") return;
    const stream = descriptor === 1 ? process.stdout : process.stderr;
    stream.write(bytes.subarray(written));
  }
}
