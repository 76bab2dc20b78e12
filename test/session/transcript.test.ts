import { mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "../../src/session/messages.ts";
import { listTranscripts, readTranscript, Transcript, transcriptFolder } from "../../src/session/transcript.ts";

const USER: Message = { role: "user", text: "grüße 漢" };
const CALL: Message = { role: "assistant", text: "", toolCalls: [{ id: "c1", name: "Bash", input: { command: "ls" } }] };
const RESULT: Message = { role: "tool", results: [{ useId: "c1", name: "Bash", output: "a", isError: false }] };

describe("transcript", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "snaphook-transcript-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(messages: readonly Message[]): string {
    const transcript = Transcript.open(join(folder, "s.jsonl"));
    transcript.append({ type: "session", id: "s", cwd: "/x", at: "2026-01-01T00:00:00Z" });
    for (const message of messages) transcript.append({ type: "message", message });
    return transcript.path;
  }

  test("[S9] what was appended is read back", () => {
    expect(readTranscript(write([USER, CALL, RESULT]))).toEqual({ id: "s", messages: [USER, CALL, RESULT] });
  });

  test("[S9] cut off at any byte, it loses at most the unfinished line and stays a sound conversation", () => {
    const whole = readFileSync(write([USER, CALL, RESULT]));
    for (let bytes = 0; bytes <= whole.length; bytes++) {
      const path = join(folder, "cut.jsonl");
      writeFileSync(path, whole);
      truncateSync(path, bytes);
      const lines = whole.subarray(0, bytes).toString("latin1").split("\n").length - 1;
      const { messages } = readTranscript(path);
      const written = [USER, CALL, RESULT].slice(0, Math.max(0, lines - 1)).length;
      // The last line may be whole without its line break; an open call gets a result.
      expect(messages.length).toBeGreaterThanOrEqual(written);
      expect(messages.filter((message) => message.role === "assistant").length).toBe(messages.filter((message) => message.role === "tool").length);
    }
  });

  test("[S9] after a cut, the next line stands alone", () => {
    const path = write([USER]);
    const whole = readFileSync(path);
    truncateSync(path, whole.length - 5);
    Transcript.open(path).append({ type: "message", message: RESULT });
    expect(readTranscript(path).messages).toEqual([RESULT]);
  });

  test("[S9] a replaced conversation counts from the replacement on", () => {
    const path = write([USER, CALL, RESULT]);
    Transcript.open(path).append({ type: "replaced", messages: [{ role: "user", text: "summary" }] });
    expect(readTranscript(path).messages).toEqual([{ role: "user", text: "summary" }]);
  });

  test("[S9] the newest session of a folder comes first, and folders do not mix", () => {
    const here = transcriptFolder({ stateDir: folder, cwd: "/a/b" });
    expect(here).not.toBe(transcriptFolder({ stateDir: folder, cwd: "/a-b" }));
    Transcript.open(join(here, "old.jsonl")).append({ type: "end", reason: "other", at: "x" });
    const later = new Date(Date.now() + 5_000);
    Transcript.open(join(here, "new.jsonl")).append({ type: "end", reason: "other", at: later.toISOString() });
    utimesSync(join(here, "new.jsonl"), later, later);
    expect(listTranscripts(here).map(({ id }) => id)[0]).toBe("new");
    expect(listTranscripts(join(folder, "nowhere"))).toEqual([]);
  });
});
