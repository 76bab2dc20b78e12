/** A few of the kills that `npm run transcript:torture` does by the thousand, and a resume behind them. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTranscript } from "../../src/session/transcript.ts";
import { snaphook } from "../support/cli.ts";
import { bundled, runWriter } from "../support/killing.ts";
import { ROOT } from "../support/places.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";
import { tortureTranscripts } from "./transcript-torture.ts";

test("[S9] writers that are killed lose no line that was taken, and leave nothing unreadable", async () => {
  const { lost, unreadable, acknowledged } = await tortureTranscripts({ folder: tempFolder(), kills: 6, seed: 7 });
  expect([lost, unreadable]).toEqual([[], []]);
  expect(acknowledged).toBeGreaterThan(0);
});

test("[S9] a line that could be written only in part does not take the next one along", async () => {
  const folder = tempFolder();
  const file = join(folder, "t.jsonl");
  const library = await bundled(join(ROOT, "src/session/transcript.ts"), folder);
  const injector = join(ROOT, "test/faults/inject/injector.mjs");
  writeFiles(folder, {
    "full-disk.mjs": `
      import { injection } from ${JSON.stringify(injector)};
      const { Transcript } = await import(${JSON.stringify(library)});
      const transcript = Transcript.open(${JSON.stringify(file)});
      const say = (text) => transcript.append({ type: "message", message: { role: "user", text } });
      say("one");
      Object.assign(injection, { at: 1, how: "ENOSPC", calls: [] });
      try { say("half of this"); } catch (error) { console.log(error.code); }
      injection.at = 0;
      say("two");`,
  });
  expect((await runWriter([join(folder, "full-disk.mjs")])).lines).toEqual(["ENOSPC"]);
  expect(readFileSync(file, "utf8")).toContain(`{"rol\n`);
  expect(readTranscript(file).messages).toEqual([
    { role: "user", text: "one" },
    { role: "user", text: "two" },
  ]);
});

test("[S9] a session whose transcript was torn is resumed with all that was taken", async () => {
  const cwd = tempFolder();
  const turns = { turns: [{ text: "first answer" }, { text: "second answer" }] };
  writeFiles(cwd, { "model.json": turns });
  const run = async (...args: readonly string[]): Promise<string> =>
    (await snaphook(["run", "--model", "script:model.json", "--json", ...args], { cwd })).stdout;
  await run("--prompt", "remember the word plover");
  const sessions = join(cwd, ".home/.local/state/snaphook/sessions");
  const transcript = join(
    sessions,
    readdirSync(sessions, { recursive: true })
      .map(String)
      .find((name) => name.endsWith(".jsonl")) ?? "",
  );
  writeFileSync(transcript, `${readFileSync(transcript, "utf8")}{"type":"message","message":{"role":"user","te`);
  const resumed = await run("--resume", "--prompt", "go on");
  expect(resumed).toContain("remember the word plover");
  expect(resumed).toContain("first answer");
});
