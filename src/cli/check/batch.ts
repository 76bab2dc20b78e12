/** Many calls, one JSON object a line, each with its own rules and surroundings. */
import * as v from "valibot";
import { isObject, parseJson } from "../../lib/json.ts";
import { MODES, type Rule } from "../../model/rule.ts";
import { VERDICTS } from "../../model/verdict.ts";
import { evaluate } from "../../permissions/evaluate.ts";
import { noFiles, symlinkMap } from "../../permissions/file-view.ts";
import { isInside } from "../../permissions/paths.ts";
import { compilePolicy, type Policy } from "../../permissions/rules.ts";
import type { FileView, Scene } from "../../permissions/scene.ts";
import type { Surface } from "../command.ts";
import { linesOf } from "./lines.ts";

/** The project root of every call made inside it; elsewhere the folder of the call is the root. */
const ROOT = "/srv/proj";

const RuleList = v.nullish(v.array(v.string()), []);

/** One line; keys that are not listed are somebody else's. */
const Line = v.object({
  rules: v.nullish(v.object({ allow: RuleList, ask: RuleList, deny: RuleList }), {}),
  mode: v.nullish(v.picklist(MODES), "default"),
  tool: v.string(),
  input: v.looseObject({}),
  cwd: v.nullish(v.string(), ROOT),
  home: v.nullish(v.string(), "/home/dev"),
  fs: v.nullish(v.object({ symlinks: v.nullish(v.record(v.string(), v.string()), {}) }), {}),
  platform: v.nullish(v.picklist(["posix", "case-insensitive", "windows"]), "posix"),
});

type Line = v.InferOutput<typeof Line>;

/** The exit code when a line could not be read. */
const BAD_LINES = 78;

/** Answers each line in its place; one that can't be read is asked, told on stderr, and makes the exit code 78. */
export async function checkBatch(file: string, surface: Surface): Promise<number> {
  const policies = new Memory<Policy>();
  const views = new Memory<FileView>();
  let number = 0;
  let bad = 0;
  for await (const text of linesOf(file, surface)) {
    surface.signal.throwIfAborted();
    number += 1;
    if (text.trim() === "") continue;
    const json = parseJson(text);
    const id = isObject(json) ? (json["id"] ?? null) : null;
    const parsed = v.safeParse(Line, json);
    if (parsed.success) {
      surface.stdout(`${JSON.stringify({ id, ...decide(parsed.output, policies, views) })}\n`);
      continue;
    }
    bad += 1;
    const because = problemText(json, parsed.issues[0]);
    surface.stdout(`${JSON.stringify({ id, decision: "ask", because })}\n`);
    surface.stderr(`snaphook: ${file === "-" ? "stdin" : file}:${number}: ${because}\n`);
  }
  return bad > 0 ? BAD_LINES : 0;
}

function decide(line: Line, policies: Memory<Policy>, views: Memory<FileView>): { readonly decision: string; readonly because: string } {
  const { rules, mode, tool, input, cwd, home, platform } = line;
  const links = line.fs.symlinks ?? {};
  const policy = policies.recall(JSON.stringify(rules), () =>
    compilePolicy(VERDICTS.flatMap((verdict) => (rules[verdict] ?? []).map((text): Rule => ({ verdict, text })))),
  );
  const files = Object.keys(links).length === 0 ? noFiles : views.recall(JSON.stringify(links), () => symlinkMap(links));
  const root = isInside(cwd, ROOT) ? ROOT : cwd;
  const scene: Scene = { mode, cwd, root, home, platform, files };
  const { verdict, because } = evaluate({ name: tool, input }, policy, scene);
  return { decision: verdict, because };
}

function problemText(json: unknown, issue: v.BaseIssue<unknown>): string {
  if (!isObject(json)) return "The line is not a JSON object, so it is asked.";
  return `The line has no usable "${v.getDotPath(issue) ?? "tool"}" (${issue.message}), so it is asked.`;
}

/** What was made lately, by its description; forgets all when it holds too much. */
class Memory<Value extends object> {
  static readonly limit = 1_000;
  readonly #values = new Map<string, Value>();

  recall(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known) return known;
    if (this.#values.size >= Memory.limit) this.#values.clear();
    const made = make();
    this.#values.set(key, made);
    return made;
  }
}
