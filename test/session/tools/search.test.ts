import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRipgrep } from "../../../src/session/tools/grep-ripgrep.ts";
import { GLOB_LIMIT_FILES } from "../../../src/session/tools/glob.ts";
import { writeFiles } from "../../support/temp.ts";
import { bench, fine, wrong } from "./context.ts";

/** A path without `rg`, so that our own walk is tried on every machine. */
const NO_RIPGREP = { env: { PATH: "/nowhere" } };

const TREE = {
  "src/b.ts": "export const hay = 2;\n",
  "src/a.ts": "export const needle = 1;\nconst x = 1;\n// NEEDLE\n",
  "src/deep/c.tsx": "no\n",
  "app/[id]/page.ts": "page\n",
  ".env": "needle=secret\n",
  ".github/ci.yml": "needle: true\n",
  "node_modules/lib/index.ts": "needle\n",
  "binary.bin": "needle\0",
};

describe("[S2] [W8] Glob", () => {
  test.each([
    [{ pattern: "src/**/*.ts" }, "src/a.ts\nsrc/b.ts"],
    [{ pattern: "./src/*.ts" }, "src/a.ts\nsrc/b.ts"],
    [{ pattern: "*.ts", path: "src" }, "src/a.ts\nsrc/b.ts"],
    [{ pattern: "**/*.{ts,tsx}" }, "app/[id]/page.ts\nsrc/a.ts\nsrc/b.ts\nsrc/deep/c.tsx"],
    [{ pattern: "src/a.ts" }, "src/a.ts"],
    [{ pattern: "app/[id]/page.ts" }, "app/[id]/page.ts"],
    [{ pattern: "*" }, "binary.bin"],
    [{ pattern: ".*" }, ".env"],
    [{ pattern: ".github/**" }, ".github/ci.yml"],
    [{ pattern: "**/.env" }, ".env"],
    [{ pattern: "node_modules/**/*.ts" }, "node_modules/lib/index.ts"],
    [{ pattern: "../**/a.ts", path: "src/deep" }, "src/a.ts"],
    [{ pattern: "~/src/b*" }, "src/b.ts"],
    [{ pattern: "*.md" }, "No files found."],
  ])("%j", async (input, output) => {
    const { run, folder } = bench();
    writeFiles(folder, TREE);
    expect(await run("Glob", input)).toEqual(fine(output));
  });

  test("an absolute pattern, and files outside the working folder, are absolute", async () => {
    const { run, folder } = bench();
    writeFiles(folder, TREE);
    expect(await run("Glob", { pattern: `${folder}/src/*.ts` })).toEqual(fine("src/a.ts\nsrc/b.ts"));
    expect(await run("Glob", { pattern: `${folder}/src/*.ts` }, { cwd: join(folder, "app") })).toEqual(fine(`${folder}/src/a.ts\n${folder}/src/b.ts`));
  });

  test("a folder that is none is said", async () => {
    const { run, folder } = bench();
    writeFiles(folder, TREE);
    expect(await run("Glob", { pattern: "*", path: "src/a.ts" })).toEqual(wrong("path src/a.ts is not a folder"));
    expect(await run("Glob", { pattern: "*", path: "nope" })).toEqual(wrong(`${join(folder, "nope")} does not exist`));
  });

  test("names at most a thousand files and says how many more there are", async () => {
    const { run, folder } = bench();
    mkdirSync(join(folder, "many"));
    for (let index = 0; index < GLOB_LIMIT_FILES + 5; index++) writeFileSync(join(folder, "many", `f${index}`), "");
    const { output } = await run("Glob", { pattern: "many/*" });
    expect([output.split("\n").length, output.split("\n").at(-1)]).toEqual([GLOB_LIMIT_FILES + 1, "(5 more files match; write a narrower pattern)"]);
  });

  test("a pattern that backtracks without end is ended", async () => {
    const { run, folder } = bench();
    writeFileSync(join(folder, "a".repeat(200)), "");
    expect(await run("Glob", { pattern: `${"*a".repeat(20)}b` })).toEqual(wrong("pattern takes too long to match; write it more simply"));
  });
});

describe("[S2] [W8] Grep without ripgrep", () => {
  test.each([
    [{ pattern: "needle", path: "src" }, "src/a.ts"],
    [{ pattern: "needle" }, "src/a.ts"],
    [{ pattern: "needle", "-i": true, output_mode: "content" }, "src/a.ts:1:export const needle = 1;\nsrc/a.ts:3:// NEEDLE"],
    [{ pattern: "^const", output_mode: "content", "-C": 1 }, "src/a.ts-1-export const needle = 1;\nsrc/a.ts:2:const x = 1;\nsrc/a.ts-3-// NEEDLE"],
    [
      { pattern: "NEEDLE|hay", output_mode: "content", "-A": 0, "-B": 1 },
      "src/a.ts-2-const x = 1;\nsrc/a.ts:3:// NEEDLE\n--\nsrc/b.ts:1:export const hay = 2;",
    ],
    [{ pattern: "const", output_mode: "count" }, "src/a.ts:2\nsrc/b.ts:1"],
    [{ pattern: "o", glob: "*.tsx" }, "src/deep/c.tsx"],
    [{ pattern: "a", glob: "!*.ts", path: "src" }, "No matches found."],
    [{ pattern: "const", glob: "src/*.ts", head_limit: 1 }, "src/a.ts\n(1 more lines are left out)"],
    [{ pattern: "needle", path: ".env" }, ".env"],
    [{ pattern: "needle", path: "node_modules" }, "node_modules/lib/index.ts"],
    [{ pattern: "needle", path: "binary.bin" }, "No matches found."],
    [{ pattern: "(?<=const )x", output_mode: "content" }, "src/a.ts:2:const x = 1;"],
  ])("%j", async (input, output) => {
    const { run, folder } = bench();
    writeFiles(folder, TREE);
    expect(await run("Grep", input, NO_RIPGREP)).toEqual(fine(output));
  });

  test("a pattern that is none, and a place that is none, are errors", async () => {
    const { run, folder } = bench();
    expect((await run("Grep", { pattern: "(" }, NO_RIPGREP)).output).toMatch(/^pattern is not a regular expression: /);
    expect(await run("Grep", { pattern: "x", path: "nope" }, NO_RIPGREP)).toEqual(wrong(`${join(folder, "nope")} does not exist`));
  });

  test("a pattern that backtracks without end takes no time", async () => {
    const { run, folder } = bench();
    writeFiles(folder, { "a.txt": `${"a".repeat(5_000)}!\n` });
    const started = performance.now();
    expect(await run("Grep", { pattern: "(a+)+$" }, NO_RIPGREP)).toEqual(fine("No matches found."));
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("a long line is cut", async () => {
    const { run, folder } = bench();
    writeFiles(folder, { "a.txt": `x${"y".repeat(5_000)}` });
    expect((await run("Grep", { pattern: "x", output_mode: "content" }, NO_RIPGREP)).output).toMatch(/^a\.txt:1:xy+ … \(3009 more characters\)$/);
  });
});

const RIPGREP = findRipgrep({ PATH: process.env["PATH"] ?? "" });

describe.skipIf(RIPGREP === undefined)("[S2] Grep gives the same with and without ripgrep", () => {
  test.each([
    { pattern: "needle" },
    { pattern: "needle", output_mode: "content" },
    { pattern: "needle", "-i": true, output_mode: "content", "-C": 1 },
    { pattern: "needle$", output_mode: "content" },
    { pattern: "needle", output_mode: "count" },
    { pattern: "needle", path: "src", glob: "*.tsx" },
    { pattern: "needle", glob: "!*.ts" },
    { pattern: "needle", path: ".env" },
    { pattern: "needle", path: "node_modules" },
    { pattern: "needle", path: "binary.bin", output_mode: "content" },
    { pattern: "-x" },
  ])("%j", async (input) => {
    const { run, folder } = bench();
    writeFiles(folder, { ...TREE, "x:y 1-2.txt": "needle\n", "crlf.txt": "a\r\nneedle\r\nb\r\n", "ä/ö.md": "ü\nneedle ü" });
    expect(await run("Grep", input, { env: { PATH: dirname(RIPGREP ?? "") } })).toEqual(await run("Grep", input, NO_RIPGREP));
  });
});

describe("[S2] Grep with ripgrep", () => {
  /** Speaks as `rg --null` does, and notes its arguments; the real one is not on every machine. */
  const fake = (stdout: string, code = 0, stderr = ""): string =>
    `#!/bin/sh\nfor a in "$@"; do echo "$a"; done > "$(dirname "$0")/args"\nprintf '${stdout}'\nprintf '${stderr}' >&2\nexit ${code}\n`;

  function withFake(script: string) {
    const made = bench();
    writeFiles(made.folder, { ...TREE, "bin/rg": script });
    chmodSync(join(made.folder, "bin/rg"), 0o755);
    return { ...made, changes: { env: { PATH: `${made.folder}/bin:/bin:/usr/bin` } } };
  }

  test.each([
    [{ pattern: "needle", path: "src" }, "./a.ts\\000", "src/a.ts"],
    [
      { pattern: "const", output_mode: "content", "-C": 1 },
      "./src/a.ts\\0001-one\\n./src/a.ts\\0002:const 3-4\\n--\\n./src/b.ts\\0009:const\\n",
      "src/a.ts-1-one\nsrc/a.ts:2:const 3-4\n--\nsrc/b.ts:9:const",
    ],
    [{ pattern: "const", output_mode: "count" }, "./src/a.ts\\0002\\n", "src/a.ts:2"],
  ])("%j has the same shape", async (input, stdout, output) => {
    const { run, changes } = withFake(fake(stdout));
    expect(await run("Grep", input, changes)).toEqual(fine(output));
  });

  test("no match is no error, a bad pattern is one", async () => {
    const none = withFake(fake("", 1));
    expect(await none.run("Grep", { pattern: "x" }, none.changes)).toEqual(fine("No matches found."));
    const bad = withFake(fake("", 2, "regex parse error"));
    expect(await bad.run("Grep", { pattern: "(" }, bad.changes)).toEqual(wrong("the search failed: regex parse error"));
  });
});
