/** The conformance cases, run by their own runner against the built command line. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { BIN, ROOT } from "../support/places.ts";

interface Case {
  readonly id: string;
  readonly req: string;
  readonly why: string;
}

interface Result {
  readonly id: string;
  readonly ok: boolean;
  readonly diffs: readonly string[];
}

const FOLDER = join(ROOT, "test/conformance");
/** The cases we were given, and those we added: neither file repeats the other. */
const GIVEN = join(FOLDER, "cases.jsonl");
const MORE = join(FOLDER, "more.jsonl");
const LIMIT_MS = 420_000;
/** The runner loads our TypeScript itself. */
const ONE_PROCESS = { loader: ["--import", "tsx"], module: ["--module", join(ROOT, "src/cli/main.ts")] };

interface Way {
  readonly loader?: readonly string[];
  readonly module?: readonly string[];
  readonly words: readonly string[];
  readonly files: readonly string[];
}

/** Each case twice, hooks started by spawn and by the zygote; those we were given also as users run them, each in a process of its own. */
const WAYS: { readonly [name: string]: Way } = {
  "the command line, spawn": { words: ["--cli", `${process.execPath} ${BIN}`, "--launcher", "spawn", "--jobs", "2"], files: [GIVEN] },
  "one process, spawn": { ...ONE_PROCESS, words: ["--launcher", "spawn", "--jobs", "2"], files: [MORE] },
  "one process, zygote": { ...ONE_PROCESS, words: ["--launcher", "zygote", "--jobs", "4"], files: [GIVEN, MORE] },
};

describe.each(Object.entries(WAYS))("conformance: %s", (_, way) => {
  const cases = way.files.flatMap((file) => jsonLines<Case>(readFileSync(file, "utf8")));
  const results = new Map<string, Result>();
  // All ways start when the file is read, and go side by side: most cases sleep.
  const running = runCases(way);

  beforeAll(async () => {
    for (const result of await running) results.set(result.id, result);
  }, LIMIT_MS);

  test.each(cases)("[$req] $id: $why", ({ id }) => {
    expect(results.get(id)?.diffs ?? ["the runner has no result for it"]).toEqual([]);
  });

  test("the runner ran every case and no other", () => {
    expect([...results.keys()].toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
  });
});

async function runCases({ loader = [], module = [], words, files }: Way): Promise<readonly Result[]> {
  const runner = spawn(process.execPath, [...loader, join(FOLDER, "run.mjs"), ...module, ...words, ...files, "--json"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  runner.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await new Promise((resolve) => void runner.on("close", resolve));
  return jsonLines(output.slice(0, output.lastIndexOf("}") + 1));
}

function jsonLines<Row>(text: string): readonly Row[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Row => JSON.parse(line));
}
