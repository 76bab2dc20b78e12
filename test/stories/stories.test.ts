/** Whole sessions, told by their own runner to the command line. */
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
const COMMAND_LINE = ["--cli", `${process.execPath} ${BIN}`];
const LIMIT_MS = 240_000;

interface Way {
  readonly words: readonly string[];
  readonly file: string;
  /** What reads TypeScript, where the runner itself loads ours. */
  readonly loader?: readonly string[];
}

/** The stories we were given are told as users would, each run in a process of its own; those we added in one process, but where signals are sent. */
const WAYS: { readonly [name: string]: Way } = {
  "the command line": { words: [...COMMAND_LINE, "--jobs", "2"], file: join(FOLDER, "stories.jsonl") },
  "one process": {
    words: ["--module", join(ROOT, "src/cli/main.ts"), ...COMMAND_LINE, "--jobs", "2"],
    file: join(FOLDER, "more.jsonl"),
    loader: ["--import", "tsx"],
  },
};

describe.each(Object.entries(WAYS))("stories: %s", (_, way) => {
  const stories = readFileSync(way.file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Story => JSON.parse(line));
  // Both ways start when the file is read, and go side by side.
  const running = tellAll(way);
  let output = "";

  beforeAll(async () => {
    output = await running;
  }, LIMIT_MS);

  test.each(stories.map(({ id, req, why }) => ({ id, ids: req.join(" "), why })))("[$ids] $id: $why", ({ id }) => {
    expect(said(output, id)).toMatch(/^ok /);
  });

  test("the runner told every story", () => {
    expect(output.trimEnd().split("\n").at(-1)).toBe(`${stories.length} passed, 0 failed`);
  });
});

async function tellAll({ words, file, loader = [] }: Way): Promise<string> {
  const runner = spawn(process.execPath, [...loader, join(FOLDER, "run.mjs"), ...words, file], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
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
