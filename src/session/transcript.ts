/** The stored record of a session: JSON lines, appended whole, so that a kill at any byte loses at most the unfinished line [S9]. */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { codeOf } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import type { Message, ToolAnswer } from "./messages.ts";

const Input = v.record(v.string(), v.unknown());
const MessageSchema = v.variant("role", [
  v.object({ role: v.literal("user"), text: v.string() }),
  v.object({ role: v.literal("assistant"), text: v.string(), toolCalls: v.array(v.object({ id: v.string(), name: v.string(), input: Input })) }),
  v.object({ role: v.literal("tool"), results: v.array(v.object({ useId: v.string(), name: v.string(), output: v.string(), isError: v.boolean() })) }),
]);
const RecordSchema = v.variant("type", [
  v.object({ type: v.literal("session"), id: v.string(), cwd: v.string(), at: v.string() }),
  v.object({ type: v.literal("message"), message: MessageSchema }),
  v.object({ type: v.literal("replaced"), messages: v.array(MessageSchema) }),
  v.object({ type: v.literal("end"), reason: v.string(), at: v.string() }),
]);

/** One line of a transcript. */
export type TranscriptRecord =
  | { readonly type: "session"; readonly id: string; readonly cwd: string; readonly at: string }
  | { readonly type: "message"; readonly message: Message }
  | { readonly type: "replaced"; readonly messages: readonly Message[] }
  | { readonly type: "end"; readonly reason: string; readonly at: string };

/** A transcript file being written. */
export class Transcript {
  readonly path: string;
  /** The file may end within a line: the next one begins with a line break, so that it stands alone. */
  #torn: boolean;

  private constructor(path: string, torn: boolean) {
    this.path = path;
    this.#torn = torn;
  }

  /** Opens a file for appending. A last line that was cut off takes no other along. */
  static open(path: string): Transcript {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return new Transcript(path, !endsWhole(path));
  }

  /** Takes a record; throws when it is not, or not all, in the file. */
  append(record: TranscriptRecord): void {
    const line = `${this.#torn ? "\n" : ""}${JSON.stringify(record)}\n`;
    this.#torn = true;
    appendFileSync(this.path, line, { mode: 0o600 });
    this.#torn = false;
  }
}

/** Whether a file ends with a whole line, as far as that can be seen. */
function endsWhole(path: string): boolean {
  try {
    const bytes = readFileSync(path);
    return bytes.length === 0 || bytes.at(-1) === LINE_BREAK;
  } catch (error) {
    return codeOf(error) === "ENOENT";
  }
}

const LINE_BREAK = 10;

/** Reads a conversation back. Lines that are no records are passed over; calls without an answer get one. */
export function readTranscript(path: string): { readonly id: string | undefined; readonly messages: readonly Message[] } {
  let id: string | undefined;
  let messages: Message[] = [];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const parsed = v.safeParse(RecordSchema, parseJson(line));
    if (!parsed.success) continue;
    const record = parsed.output;
    if (record.type === "session") id = record.id;
    if (record.type === "message") messages.push(record.message);
    if (record.type === "replaced") messages = [...record.messages];
  }
  return { id, messages: answered(messages) };
}

/** Every call has a result right behind it: a provider refuses a conversation with an open call. */
export function answered(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message, index): readonly Message[] => {
    if (message.role !== "assistant" || message.toolCalls.length === 0) return [message];
    const next = messages[index + 1];
    if (next?.role === "tool") return [message];
    return [message, { role: "tool", results: message.toolCalls.map(unanswered) }];
  });
}

/** The result of a call that never ended. */
export function unanswered({ id, name }: { readonly id: string; readonly name: string }): ToolAnswer {
  return { useId: id, name, output: "The call was interrupted before it ended; its effects are unknown.", isError: true };
}

/** The folder that holds the transcripts of a project. */
export function transcriptFolder({ stateDir, cwd }: { readonly stateDir: string; readonly cwd: string }): string {
  const name = cwd.replaceAll(/[^\w.-]+/g, "-").slice(-60);
  return join(stateDir, "snaphook", "sessions", `${name}-${createHash("sha256").update(cwd).digest("hex").slice(0, 12)}`);
}

/** The transcripts of a folder, the newest first. */
export function listTranscripts(folder: string): readonly { readonly id: string; readonly path: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => ({ id: name.slice(0, -".jsonl".length), path: join(folder, name) }))
    .toSorted((left, right) => statSync(right.path).mtimeMs - statSync(left.path).mtimeMs || right.id.localeCompare(left.id));
}
