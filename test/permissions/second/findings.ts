import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isObject, parseJson, type JsonObject } from "../../../src/lib/json.ts";
import { MODES, type Mode, type Rule } from "../../../src/model/rule.ts";
import { VERDICTS, type Verdict } from "../../../src/model/verdict.ts";
import { evaluate } from "../../../src/permissions/evaluate.ts";
import type { Judgement } from "../../../src/permissions/judgement.ts";
import { compilePolicy } from "../../../src/permissions/rules.ts";
import type { Comparison } from "./compare.ts";
import { sceneOf, type Pair } from "./pairs.ts";

/** A case that was once answered unsafely, kept so that it never is again. */
export interface Finding {
  readonly id: string;
  readonly rules: Readonly<Partial<Record<Verdict, readonly string[]>>>;
  readonly mode: Mode;
  readonly tool: string;
  readonly input: JsonObject;
  /** The working folder and project root, where it is not /srv/proj. */
  readonly cwd?: string;
  readonly fs?: { readonly symlinks: Readonly<Record<string, string>> };
  /** The answers that would be wrong. */
  readonly unsafe: readonly string[];
  readonly why: string;
}

/** A disagreement as a case. */
export function toFinding(pair: Pair, { kind, second }: Comparison): Finding {
  return finding({
    ...pair,
    why: `${kind}: the second evaluator says ${second.verdict} (${second.reason}${second.detail === "" ? "" : `, ${second.detail}`})`,
    from: "diff",
  });
}

/** A case from its parts; the id is made of its content. */
export function finding({ call, rules, mode, links, why, from, cwd }: Pair & { readonly why: string; readonly from: string; readonly cwd?: string }): Finding {
  const lists: Finding["rules"] = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, rules.filter((rule) => rule.verdict === verdict).map(({ text }) => text)] as const).filter(
      ([, list]) => list.length > 0,
    ),
  );
  const question = {
    rules: lists,
    mode,
    tool: call.name,
    input: call.input,
    ...(cwd === undefined ? {} : { cwd }),
    ...(Object.keys(links).length === 0 ? {} : { fs: { symlinks: links } }),
  };
  return { id: `${from}-${createHash("sha256").update(JSON.stringify(question)).digest("hex").slice(0, 10)}`, ...question, unsafe: ["allow"], why };
}

/** Every kept case. */
export function readFindings(file: URL): readonly Finding[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => toCase(parseJson(line)));
}

/** The gate's answer to a kept case. */
export function judgeFinding(one: Finding): Judgement {
  const rules = VERDICTS.flatMap((verdict) => (one.rules[verdict] ?? []).map((text): Rule => ({ verdict, text })));
  return evaluate({ name: one.tool, input: one.input }, compilePolicy(rules), {
    ...sceneOf({ mode: one.mode, links: one.fs?.symlinks ?? {} }),
    ...(one.cwd === undefined ? {} : { cwd: one.cwd, root: one.cwd, home: one.cwd }),
  });
}

function toCase(line: unknown): Finding {
  const json = isObject(line) ? line : {};
  const rules = isObject(json["rules"]) ? json["rules"] : {};
  const fs =
    isObject(json["fs"]) && isObject(json["fs"]["symlinks"])
      ? Object.fromEntries(Object.entries(json["fs"]["symlinks"]).map(([from, to]) => [from, String(to)]))
      : undefined;
  return {
    id: String(json["id"]),
    rules: Object.fromEntries(VERDICTS.map((verdict) => [verdict, texts(rules[verdict])])),
    mode: MODES.find((mode) => mode === json["mode"]) ?? "default",
    tool: String(json["tool"]),
    input: isObject(json["input"]) ? json["input"] : {},
    ...(typeof json["cwd"] === "string" ? { cwd: json["cwd"] } : {}),
    ...(fs === undefined ? {} : { fs: { symlinks: fs } }),
    unsafe: texts(json["unsafe"]),
    why: String(json["why"]),
  };
}

function texts(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
