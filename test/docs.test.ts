/** The examples in the documents are run as they are printed. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BIN, ROOT } from "./support/places.ts";

/**
 * A marker is an HTML comment on the line before a fence:
 * `example` begins in an empty folder, `file NAME` writes the fence there, `run` runs it: after `$ ` a command, below it its output.
 */
interface Block {
  readonly line: number;
  readonly marker: "file" | "run";
  readonly name: string;
  readonly text: string;
}

interface Example {
  readonly title: string;
  readonly blocks: readonly Block[];
}

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "snaphook-docs-")));
const tools = join(scratch, "tools");

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "STYLE.md",
  "CHANGELOG.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path}`),
];

describe("examples", () => {
  const found = documents.flatMap((path) => examplesOf(path).map((example) => ({ path, ...example })));

  test("there are some, in the README and in every guide but the one for contributors", () => {
    const guides = documents.filter((path) => path.startsWith("docs/guides/") && path !== "docs/guides/add-a-dialect.md");
    expect(["README.md", ...guides].filter((path) => !found.some((example) => example.path === path))).toEqual([]);
  });

  for (const [index, { path, title, blocks }] of found.entries()) {
    test(`${path}: ${title}`, () => {
      const folder = join(scratch, `example-${index}`);
      prepare(folder);
      for (const block of blocks) {
        if (block.marker === "file") {
          writeExample(join(folder, block.name), block.text);
          continue;
        }
        const { commands, output } = scriptOf(block);
        expect(normal(run(commands, folder), folder)).toBe(normal(output, folder));
      }
    });
  }
});

describe("links", () => {
  test("every relative link leads somewhere", () => {
    const dead = documents.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1] ?? "")
        .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
        .map((target) => `${path} → ${target}`),
    );
    expect(dead).toEqual([]);
  });
});

describe("the repository speaks of Snaphook alone", () => {
  test("no document names a folder of somebody's machine", () => {
    const named = documents.filter((path) => /(^|[\s("'`])\/(root|home|Users)\//m.test(read(path)));
    expect(named).toEqual([]);
  });
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function examplesOf(path: string): Example[] {
  const lines = read(path).split("\n");
  const examples: { title: string; blocks: Block[] }[] = [];
  let heading = path;
  for (const [index, line] of lines.entries()) {
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    const [, marker, name = ""] = /^<!-- (example|file|run)(?: (.*?))? -->$/.exec(line) ?? [];
    if (marker === "example" || (marker !== undefined && examples.length === 0)) examples.push({ title: name === "" ? heading : name, blocks: [] });
    if (marker === "file" || marker === "run") examples.at(-1)?.blocks.push({ line: index + 1, marker, name, text: fenceAfter(lines, index) });
  }
  return examples;
}

function fenceAfter(lines: readonly string[], marker: number): string {
  const end = lines.indexOf("```", marker + 2);
  if (!lines[marker + 1]?.startsWith("```") || end < 0) throw new Error(`line ${marker + 1}: a fence is wanted after the marker`);
  return lines.slice(marker + 2, end).join("\n");
}

/** Commands stand after `$ `, their continuation after `> `; everything else is what they print. */
function scriptOf({ text }: Block): { readonly commands: string; readonly output: string } {
  const lines = text.split("\n");
  const isCommand = (line: string): boolean => line.startsWith("$ ") || line.startsWith("> ");
  const commands = lines.filter(isCommand).map((line) => line.slice(2));
  return { commands: commands.join("\n"), output: lines.filter((line) => !isCommand(line)).join("\n") };
}

/** An empty folder with the package in reach, as after `npm install snaphook`. */
function prepare(folder: string): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(ROOT, join(folder, "node_modules/snaphook"), "dir");
  mkdirSync(join(folder, "node_modules/.bin"));
  symlinkSync("../snaphook/bin/snaphook-hook", join(folder, "node_modules/.bin/snaphook-hook"));
  mkdirSync(tools, { recursive: true });
  writeExample(join(tools, "npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${BIN}" "$@"\n`);
}

function writeExample(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
  if (text.startsWith("#!")) chmodSync(path, 0o755);
}

function run(commands: string, folder: string): string {
  const env = { PATH: `${tools}:${process.env["PATH"] ?? ""}`, HOME: join(scratch, "home"), TMPDIR: scratch, LANG: "C.UTF-8" };
  return execFileSync("bash", ["-c", `exec 2>&1\n${commands}`], { cwd: folder, env, encoding: "utf8", timeout: 30_000 });
}

/** Times differ from run to run, folders from machine to machine. */
function normal(text: string, folder: string): string {
  return text
    .replaceAll(`${folder}/`, "")
    .replaceAll(relative(scratch, folder), "")
    .replaceAll(/\b[\d.]+ ms\b/g, "N ms")
    .replaceAll(/("durationMs": ?)[\d.]+/g, "$1N")
    .trim();
}
