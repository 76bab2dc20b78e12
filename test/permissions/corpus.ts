import { readFileSync } from "node:fs";
import { isObject, parseJson, type JsonObject } from "../../src/lib/json.ts";
import { MODES, type Mode, type Rule } from "../../src/model/rule.ts";
import { VERDICTS } from "../../src/model/verdict.ts";
import { evaluate } from "../../src/permissions/evaluate.ts";
import { noFiles, symlinkMap } from "../../src/permissions/file-view.ts";
import type { Judgement } from "../../src/permissions/judgement.ts";
import { compilePolicy } from "../../src/permissions/rules.ts";
import type { Platform, Scene } from "../../src/permissions/scene.ts";

/** One case of the corpus, read leniently from its line. */
export interface CorpusCase {
  readonly id: string;
  readonly cat: string;
  readonly kind: string;
  readonly tier: number;
  readonly why: string;
  readonly expect: readonly string[];
  readonly rules: readonly Rule[];
  readonly tool: string;
  readonly input: JsonObject;
  readonly scene: Scene;
}

/** Reads a file of cases, one JSON object a line. */
export function readCorpus(file: string): readonly CorpusCase[] {
  return readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => toCase(parseJson(line)));
}

/** The gate's answer to a case. */
export function judge({ tool, input, rules, scene }: CorpusCase): Judgement {
  return evaluate({ name: tool, input }, compilePolicy(rules), scene);
}

/** Whether the answer is one of the safe ones; the corpus calls an allow `auto`. */
export function isRight(one: CorpusCase, { verdict }: Judgement): boolean {
  return one.expect.includes(verdict === "allow" ? "auto" : verdict);
}

function toCase(line: unknown): CorpusCase {
  const json = isObject(line) ? line : {};
  const text = (key: string, fallback = ""): string => (typeof json[key] === "string" ? json[key] : fallback);
  const expect = json["expect"];
  const rules = isObject(json["rules"]) ? json["rules"] : {};
  const fs = isObject(json["fs"]) ? json["fs"] : {};
  const links = isObject(fs["symlinks"]) ? Object.entries(fs["symlinks"]).map(([from, to]) => [from, String(to)]) : undefined;
  const mode: Mode = MODES.find((name) => name === json["mode"]) ?? "default";
  const platform: Platform = json["platform"] === "case-insensitive" || json["platform"] === "windows" ? json["platform"] : "posix";
  return {
    id: text("id"),
    cat: text("cat"),
    kind: text("kind"),
    why: text("why"),
    tool: text("tool"),
    tier: typeof json["tier"] === "number" ? json["tier"] : 1,
    expect: Array.isArray(expect) ? expect.map(String) : [String(expect)],
    rules: VERDICTS.flatMap((verdict) => (Array.isArray(rules[verdict]) ? rules[verdict] : []).map((rule): Rule => ({ verdict, text: String(rule) }))),
    input: isObject(json["input"]) ? json["input"] : {},
    scene: {
      mode,
      cwd: text("cwd", "/srv/proj"),
      root: "/srv/proj",
      home: text("home", "/home/dev"),
      platform,
      files: links ? symlinkMap(Object.fromEntries(links)) : noFiles,
    },
  };
}
