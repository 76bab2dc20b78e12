/** The shape of the code, as STYLE.md says it. What these tests refuse, a reviewer need not look for. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { DIALECT_LIST } from "../src/dialects/index.ts";
import { EVENTS } from "../src/model/events.ts";
import { ROOT } from "./support/places.ts";

const SRC = join(ROOT, "src");

/** Imports point to a lower row; folders of one row do not know each other. */
const ROWS: readonly (readonly string[])[] = [
  ["lib"],
  ["model"],
  ["dialects"],
  ["trust"],
  ["config", "runners", "audit", "permissions"],
  ["engine", "lint", "telemetry"],
  ["plugins", "testing"],
  ["session"],
  ["bridge", "adapters", "daemon", "desk"],
  ["ui"],
  ["index.ts"],
  ["cli"],
];

/** The stages of `engine/fire.ts`: plain functions that never import each other. */
const STAGES = ["match", "schedule", "interpret", "merge", "apply", "grant"].map((stage) => `engine/${stage}.ts`);

/** Tables may be longer than 300 lines. */
const LONG_TABLES: readonly string[] = [];

/** Where a dialect's id or words stand outside `dialects/`, and why that is no decision about a dialect. */
const MAY_SAY: { readonly [file: string]: { readonly words: readonly string[]; readonly because: string } } = {
  "config/sniff.ts": { words: ["goose", "lime", "mains", "claude-code"], because: "the order in which shapes are tried: a row each, no branch" },
  "config/fields.ts": { words: ["tool_name"], because: "keys of configuration files, a schema each" },
  "config/shapes/flat.ts": { words: ["tool_name"], because: "reads the one shape of entry that has this key" },
  "engine/library-hook.ts": { words: ["snaphook"], because: "functions given to the library speak the native words" },
};

/** The native dialect has the product's own name, which folders and messages also have. */
const PRODUCT = "snaphook";

/** Where the name of an event decides nothing: its row in the table does. */
const PIPELINE = ["config", "runners", "audit", "permissions", "engine", "lint"];

/** Field names of payloads and answers. They mean something only inside their dialect. */
const WIRE_FIELDS = `
  hookSpecificOutput permissionDecision permissionDecisionReason additionalContext updatedInput updatedPermissions hookEventName
  hook_event_name tool_name tool_input tool_output tool_response tool_arguments tool_result is_error session_id
  context_injection require_approval prompt_text stop_hook_active systemMessage stopReason
`
  .trim()
  .split(/\s+/);

interface SourceFile {
  /** Relative to `src/`. */
  readonly path: string;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  /** What it imports, relative to `src/`. */
  readonly imports: readonly string[];
}

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => sourceFile(path.replaceAll("\\", "/")));
const pathOf = ({ path }: SourceFile): string => path;

describe("imports", () => {
  test("every folder has a row", () => {
    expect(files.filter((file) => rowOf(file.path) < 0).map(pathOf)).toEqual([]);
  });

  test("point one way: lib ← model ← dialects ← trust ← config, runners, audit, permissions ← engine, lint ← plugins ← session ← bridge, adapters, daemon, desk ← ui ← cli", () => {
    const wrong = files.flatMap((file) => file.imports.filter((target) => !mayImport(file.path, target)).map((target) => `${file.path} → ${target}`));
    expect(wrong).toEqual([]);
  });

  test("a stage never imports another stage", () => {
    const stages = files.filter((file) => STAGES.includes(file.path));
    expect(stages.map(pathOf).toSorted()).toEqual(STAGES.toSorted());
    expect(stages.flatMap((file) => file.imports.filter((target) => STAGES.includes(target)).map((target) => `${file.path} → ${target}`))).toEqual([]);
  });

  test("name the .ts file", () => {
    const relatives = files.flatMap((file) =>
      specifiers(file.code)
        .filter((name) => name.startsWith(".") && !name.endsWith(".ts"))
        .map((name) => `${file.path}: ${name}`),
    );
    expect(relatives).toEqual([]);
  });
});

describe("dialects", () => {
  const ids = DIALECT_LIST.map((dialect) => dialect.id);
  const wireNames = new Set(
    DIALECT_LIST.flatMap((dialect) => [...Object.keys(dialect.events), ...dialect.unfired]).filter((name) => !Object.hasOwn(EVENTS, name)),
  );
  const outside = files.filter((file) => !file.path.startsWith("dialects/"));

  test("no id and no wire word leaves src/dialects", () => {
    const leaks = outside.flatMap((file) => {
      const said = [...dialectIds(file.code, ids), ...quoted(file.code).filter((word) => wireNames.has(word)), ...wireFields(file.code)];
      return [...new Set(said)].filter((word) => !MAY_SAY[file.path]?.words.includes(word)).map((word) => `${file.path}: ${word}`);
    });
    expect(leaks).toEqual([]);
  });

  test("every exception is still needed", () => {
    const unused = Object.entries(MAY_SAY).flatMap(([path, { words }]) =>
      words.filter((word) => !files.find((file) => file.path === path)?.code.includes(word)).map((word) => `${path}: ${word}`),
    );
    expect(unused).toEqual([]);
  });

  test("the pipeline never compares an event's name", () => {
    const compared = Object.keys(EVENTS).flatMap((name) =>
      outside
        .filter((file) => PIPELINE.some((folder) => file.path.startsWith(`${folder}/`)) && new RegExp(`[!=]==? "${name}"|case "${name}"`).test(file.code))
        .map((file) => `${file.path}: ${name}`),
    );
    expect(compared).toEqual([]);
  });
});

describe("files", () => {
  test("nothing but src/cli reads process.env or process.cwd()", () => {
    const readers = files.filter((file) => !file.path.startsWith("cli/") && /process\.(env|cwd)\b/.test(file.code));
    expect(readers.map(pathOf)).toEqual([]);
  });

  test("stay within 300 lines, but tables", () => {
    const long = files.filter((file) => file.text.split("\n").length - 1 > 300 && !LONG_TABLES.includes(file.path));
    expect(long.map(pathOf)).toEqual([]);
  });

  test("index.ts stands only at public entry points and tables", () => {
    const isTable = (file: SourceFile): boolean => /^export const [A-Z_]+\b/m.test(file.code);
    const entries = ["index.ts", "audit/index.ts", "testing/index.ts"];
    expect(files.filter((file) => basename(file.path) === "index.ts" && !entries.includes(file.path) && !isTable(file)).map(pathOf)).toEqual([]);
  });

  test("have named exports only", () => {
    expect(files.filter((file) => /^export default\b/m.test(file.code)).map(pathOf)).toEqual([]);
  });
});

describe("names", () => {
  test("every export says in a sentence what it is", () => {
    expect(files.flatMap((file) => undocumented(file.text).map((name) => `${file.path}: ${name}`))).toEqual([]);
  });

  test("none of them says Manager, Handler, Processor, Helper, Utils or Base, nor has an I- or T-prefix", () => {
    const bad = files.flatMap((file) => [basename(file.path, ".ts"), ...declared(file.code)].filter(isForbidden).map((name) => `${file.path}: ${name}`));
    expect(bad).toEqual([]);
  });

  test("a class extends nothing but Error", () => {
    const extended = files.flatMap((file) =>
      [...file.code.matchAll(/\bclass (\w+) extends (\w+)/g)].filter((match) => match[2] !== "Error").map((match) => `${file.path}: ${match[1]}`),
    );
    expect(extended).toEqual([]);
  });
});

function sourceFile(path: string): SourceFile {
  const text = readFileSync(join(SRC, path), "utf8");
  const code = withoutComments(text);
  const imports = specifiers(code)
    .filter((name) => name.startsWith("."))
    .map((name) => relative(SRC, join(SRC, dirname(path), name)).replaceAll("\\", "/"));
  return { path, text, code, imports };
}

/** Comments at the start of a line or after blanks; a `//` inside a text (a URL) stays. */
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\//gm, "").replace(/(^|\s)\/\/ .*$/gm, "$1");
}

function specifiers(code: string): string[] {
  return [...code.matchAll(/(?:\bfrom|\bimport\(?)\s*"([^"]+)"/g)].flatMap((match) => match[1] ?? []);
}

function rowOf(path: string): number {
  const folder = path.split("/")[0] ?? "";
  return ROWS.findIndex((row) => row.includes(folder));
}

function mayImport(from: string, to: string): boolean {
  return from.split("/")[0] === to.split("/")[0] || rowOf(to) < rowOf(from);
}

function quoted(code: string): string[] {
  return [...code.matchAll(/"([\w.-]+)"|'([\w.-]+)'/g)].flatMap((match) => match[1] ?? match[2] ?? []);
}

/** Quoted, or as a row of the table: `DIALECTS.lime`, `const { lime } = DIALECTS`. */
function dialectIds(code: string, ids: readonly string[]): string[] {
  const named = quoted(code).filter((word) => word !== PRODUCT);
  const rows = [...code.matchAll(/DIALECTS\.(\w+)|\{([^{}]*)\} = DIALECTS\b/g)].flatMap((match) =>
    (match[1] ?? match[2] ?? "").split(",").map((name) => name.trim()),
  );
  return [...named, ...rows].filter((word) => ids.includes(word));
}

function wireFields(code: string): string[] {
  return WIRE_FIELDS.filter((word) => new RegExp(`\\b${word}\\b`).test(code));
}

function declared(code: string): string[] {
  return [...code.matchAll(/\b(?:const|let|function|class|interface|type)\s+(\w+)/g)].flatMap((match) => match[1] ?? []);
}

function isForbidden(name: string): boolean {
  return /(manager|handler|processor|helper|util)s?$/i.test(name) || /^[A-Z]\w*Base$|^Base[A-Z]|^[IT][A-Z][a-z]/.test(name);
}

/** Exports without a doc comment above them. A type that is read off the table above it needs none. */
function undocumented(text: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const name = /^export (?:declare )?(?:async )?(?:const|function|class|interface|type) (\w+)/.exec(line)?.[1];
    if (name === undefined || /^export type \w+ = (\(typeof|keyof typeof|Action\["type"\])/.test(line)) return [];
    const above = lines.slice(0, index).findLast((each) => !/^\/\/ (prettier-ignore|oxlint-)/.test(each)) ?? "";
    return above.trimEnd().endsWith("*/") ? [] : [name];
  });
}
