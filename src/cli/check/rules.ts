/** Which rules a check is made with: those named on the command line, else those found here. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readPermissions } from "../../config/permissions.ts";
import { createEngine } from "../../engine/engine.ts";
import { entryOf, type DocNode } from "../../lib/document/node.ts";
import { formatOf, parseDocument } from "../../lib/document/parse.ts";
import { messageOf } from "../../lib/errors.ts";
import { SnaphookError } from "../../model/errors.ts";
import type { Mode, Rule } from "../../model/rule.ts";
import { VERDICTS } from "../../model/verdict.ts";
import type { Option, Surface, Words } from "../command.ts";
import { configsOf, trustOf } from "../config-options.ts";

/** The options that give rules. */
export const RULE_OPTIONS: { readonly [name: string]: Option } = {
  rules: { type: "string", value: "FILE", help: 'a file with {"allow": […], "ask": […], "deny": […]}, or with these under "permissions"; repeatable' },
  allow: { type: "string", value: "RULE", help: "an allow rule, as 'Bash(git status:*)'; repeatable" },
  ask: { type: "string", value: "RULE", help: "an ask rule; repeatable" },
  deny: { type: "string", value: "RULE", help: "a deny rule; repeatable" },
};

/** Rules, and the mode that came with them. */
export interface GivenRules {
  readonly rules: readonly Rule[];
  readonly mode: Mode | null;
}

/** Rules of the command line stand alone unless `--config` names files as well. */
export async function givenRules(words: Words, surface: Surface, cwd: string): Promise<GivenRules> {
  const files = await Promise.all((words.values["rules"] ?? []).map(async (file) => readRules(resolve(surface.cwd, file))));
  const inline = VERDICTS.flatMap((verdict) => (words.values[verdict] ?? []).map((text): Rule => ({ verdict, text })));
  const configs = configsOf(words);
  const given = Object.keys(RULE_OPTIONS).some((name) => words.values[name] !== undefined);
  const found = given && configs.length === 0 ? NOTHING : await configuredRules(words, surface, cwd);
  return { rules: [...found.rules, ...files.flatMap(({ rules }) => rules), ...inline], mode: files.findLast(({ mode }) => mode !== null)?.mode ?? found.mode };
}

const NOTHING: GivenRules = { rules: [], mode: null };

async function configuredRules(words: Words, surface: Surface, cwd: string): Promise<GivenRules> {
  const { configuration } = await createEngine({ cwd, env: surface.env, configs: configsOf(words), ...trustOf(words) });
  const problem = configuration.notices.find(({ kind }) => kind === "unreadable-file");
  if (problem) throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${problem.file}:${problem.line}:${problem.column}: ${problem.message}` });
  return configuration;
}

/** Nothing in a file of rules may be lost: whatever can't be read is an error. */
async function readRules(path: string): Promise<GivenRules> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${path} can't be read: ${messageOf(error)}` });
  });
  const refuse = (at: { readonly line: number; readonly column: number }, message: string): never => {
    throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${path}:${at.line}:${at.column}: ${message}` });
  };
  const document = await parseDocument(text, formatOf(path));
  if (document.kind === "broken") return refuse(document.at, document.message);
  const { root } = document;
  const source = { path, layer: "run", dialects: [], plugin: null, named: true } as const;
  return readPermissions(entryOf(root, "permissions") ? root : underPermissions(root), source, (at, { message }) => refuse(at, message));
}

function underPermissions(value: DocNode): DocNode {
  return { kind: "object", at: value.at, entries: [{ key: "permissions", at: value.at, value }] };
}
