/** Whole sessions, told by their own runner to the built command line. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { BIN, ROOT } from "../support/places.ts";

interface Story {
  readonly id: string;
  readonly req: readonly string[];
  readonly why: string;
}

const FOLDER = join(ROOT, "test/stories");
/** The stories we were given, and those we added: neither file repeats the other. */
const FILES = ["stories.jsonl", "more.jsonl"].map((name) => join(FOLDER, name));
const LIMIT_MS = 240_000;

describe("stories", () => {
  const stories = FILES.flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line): Story => JSON.parse(line));
  let output = "";

  beforeAll(async () => {
    output = await tellAll();
  }, LIMIT_MS);

  test.each(stories.map(({ id, req, why }) => ({ id, ids: req.join(" "), why })))("[$ids] $id: $why", ({ id }) => {
    expect(said(output, id)).toMatch(/^ok /);
  });

  test("the runner told every story", () => {
    expect(output.trimEnd().split("\n").at(-1)).toBe(`${stories.length} passed, 0 failed`);
  });
});

async function tellAll(): Promise<string> {
  const runner = spawn(process.execPath, [join(FOLDER, "run.mjs"), "--cli", `${process.execPath} ${BIN}`, ...FILES, "--jobs", "3"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  runner.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  await new Promise((resolve) => void runner.on("close", resolve));
  return text;
}

/** What the runner printed about one story: its line, and the lines behind it that belong to it. */
function said(output: string, id: string): string {
  const lines = output.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`ok   ${id} `) || line.startsWith(`FAIL ${id} `));
  if (start < 0) return "the runner has no result for it";
  const end = lines.findIndex((line, index) => index > start && /^(ok|FAIL|failed:|\d+ passed)/.test(line));
  return lines.slice(start, end < 0 ? undefined : end).join("\n");
}
