import type { Rule } from "../../../src/model/rule.ts";
import type { ToolCall } from "../../../src/model/tools.ts";
import type { Verdict } from "../../../src/model/verdict.ts";
import type { Scene } from "../../../src/permissions/scene.ts";
import { globMatch, strongest, type Answer } from "./globs.ts";
import { pathMatch } from "./paths.ts";
import { covers, speaksOf } from "./shell.ts";
import { readDeep, type Deep } from "./unwrap.ts";

/** The second opinion: small, slow, written from the specification with another parser. */
export interface SecondOpinion {
  readonly verdict: Verdict;
  /** What decided: a rule that matches, a rule that may match, an allow, the mode, or a text this parser can't read. */
  readonly reason: "deny" | "maybe-deny" | "ask" | "maybe-ask" | "allow" | "mode" | "unparsed";
  /** The deciding rule, or what an allow did not cover. */
  readonly detail: string;
}

interface Parsed {
  readonly tool: string;
  readonly pattern: string | null;
  readonly broken: boolean;
}

const TOOL_NAMES: Readonly<Record<string, string>> = {
  bash: "shell",
  developer__shell: "shell",
  shell: "shell",
  read: "read",
  write: "write",
  edit: "edit",
  grep: "grep",
  webfetch: "fetch",
  glob: "glob",
};

/** The verdict for a call with nothing but the specification in hand. */
export function secondOpinion(call: ToolCall, rules: readonly Rule[], scene: Scene): SecondOpinion {
  const tool = nameOf(call.name);
  const text = argument(tool, call);
  const deep = tool === "shell" && text !== undefined ? read(text) : undefined;
  const asked = (rule: Rule): Answer => matches(parse(rule.text), { tool, text, deep, scene });
  for (const verdict of ["deny", "ask"] as const) {
    const spoke = rules.filter((rule) => rule.verdict === verdict).map((rule) => ({ rule, answer: asked(rule) }));
    const sure = spoke.find(({ answer }) => answer === "yes");
    if (sure) return { verdict, reason: deep?.unparsed ? "unparsed" : verdict, detail: sure.rule.text };
    const unsure = spoke.find(({ answer }) => answer === "maybe");
    if (unsure) return { verdict: "ask", reason: deep?.unparsed ? "unparsed" : verdict === "deny" ? "maybe-deny" : "maybe-ask", detail: unsure.rule.text };
  }
  const allows = rules
    .filter((rule) => rule.verdict === "allow")
    .map((rule) => parse(rule.text))
    .filter((rule) => !rule.broken);
  const missing = uncovered(allows, { tool, text, deep, scene });
  if (missing === undefined) return { verdict: "allow", reason: "allow", detail: "" };
  const verdict = byMode(tool, scene);
  return { verdict, reason: deep?.unparsed && verdict !== "allow" ? "unparsed" : "mode", detail: missing };
}

interface Question {
  readonly tool: string;
  readonly text: string | undefined;
  readonly deep: Deep | undefined;
  readonly scene: Scene;
}

/** The last script is kept: it is asked about under several sets of rules. */
let last: { readonly text: string; readonly deep: Deep } | undefined;

function read(text: string): Deep {
  if (last?.text !== text) last = { text, deep: readDeep(text) };
  return last.deep;
}

function matches(rule: Parsed, { tool, text, deep, scene }: Question): Answer {
  if (rule.broken) return rule.tool === "" || rule.tool === tool ? "maybe" : "no";
  if (tool === "shell") return deep === undefined ? (rule.tool === "shell" ? "maybe" : "no") : speaksOf(rule, deep, scene);
  if (rule.tool === "*" && rule.pattern === null) return "yes";
  if (tool.startsWith("mcp__")) return mcp(rule, tool);
  if (rule.tool === "*" && rule.pattern === null) return "yes";
  if (!sameTool(rule.tool, tool)) return "no";
  if (rule.pattern === null || rule.pattern === "*") return "yes";
  if (text === undefined) return "maybe";
  if (tool === "fetch") return domain(rule.pattern, text);
  return ["read", "write", "edit", "grep"].includes(tool) ? pathMatch(rule.pattern, text, scene, "deny") : globMatch(rule.pattern, text);
}

/** What is denied to be written is denied to be edited, what is denied to be read is denied to be searched. */
function sameTool(rule: string, tool: string): boolean {
  const group = (name: string): string => (name === "edit" ? "write" : name === "grep" ? "read" : name);
  return group(rule) === group(tool);
}

function uncovered(allows: readonly Parsed[], { tool, text, deep, scene }: Question): string | undefined {
  if (
    text !== "" &&
    (text !== undefined || tool !== "shell") &&
    allows.some((rule) => (rule.tool === tool || (rule.tool === "write" && tool === "edit")) && (rule.pattern === null || rule.pattern === "*"))
  )
    return undefined;
  if (tool === "shell" && text !== undefined && allows.some((rule) => rule.tool === tool && isVerbatim(rule.pattern ?? "", text))) return undefined;
  if (tool === "shell") return deep === undefined ? "no command" : covers(allows, deep, scene);
  const own = allows.filter((rule) => rule.tool === tool || (rule.tool === "write" && tool === "edit") || tool.startsWith("mcp__"));
  if (tool.startsWith("mcp__")) return own.some((rule) => /^mcp__[^*]+/.test(rule.tool) && mcp(rule, tool) === "yes") ? undefined : tool;
  if (text === undefined || text === "") return "no argument";
  if (tool === "fetch") return own.some((rule) => domain(rule.pattern ?? "*", text) === "yes") ? undefined : text;
  const isPath = ["read", "write", "edit", "grep"].includes(tool);
  return own.some((rule) => (isPath ? pathMatch(rule.pattern ?? "*", text, scene, "allow") : globMatch(rule.pattern ?? "*", text)) === "yes")
    ? undefined
    : text;
}

/** The owner of an exact rule has seen every word of the text. */
function isVerbatim(pattern: string, text: string): boolean {
  return !pattern.includes("*") && pattern === text.trim().replaceAll(/[ \t]+/g, " ");
}

function byMode(tool: string, { mode }: Scene): Verdict {
  const kind = ["read", "glob", "grep"].includes(tool) ? "read" : ["write", "edit"].includes(tool) ? "write" : "other";
  if (kind === "read" || mode === "bypassPermissions") return "allow";
  if (mode === "plan") return "deny";
  return mode === "acceptEdits" && kind === "write" ? "allow" : "ask";
}

function mcp(rule: Parsed, tool: string): Answer {
  if (rule.pattern !== null && rule.pattern !== "*") return "no";
  if (rule.tool === tool || tool.startsWith(`${rule.tool}__`)) return "yes";
  return rule.tool.includes("*") ? globMatch(rule.tool, tool) : "no";
}

function domain(pattern: string, url: string): Answer {
  if (!pattern.startsWith("domain:")) return globMatch(pattern, url);
  const wanted = pattern.slice("domain:".length).toLowerCase();
  if (!URL.canParse(url)) return "maybe";
  const host = new URL(url).hostname.toLowerCase().replace(/\.$/, "");
  return strongest([globMatch(wanted, host), globMatch(`*.${wanted}`, host)]);
}

function parse(text: string): Parsed {
  const found = /^\s*([\w*.:/-]+)\s*(?:\((.*)\))?\s*$/s.exec(text);
  if (!found || found[2]?.trim() === "") return { tool: nameOf(/^\s*([A-Za-z]\w*)/.exec(text)?.[1] ?? ""), pattern: null, broken: true };
  return { tool: nameOf(found[1] ?? ""), pattern: found[2] ?? null, broken: false };
}

function nameOf(name: string): string {
  const key = name.toLowerCase();
  return Object.hasOwn(TOOL_NAMES, key) ? (TOOL_NAMES[key] ?? name) : name;
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  shell: "command",
  read: "file_path",
  write: "file_path",
  edit: "file_path",
  grep: "path",
  fetch: "url",
  glob: "pattern",
};

function argument(tool: string, call: ToolCall): string | undefined {
  const key = Object.hasOwn(ARGUMENTS, tool) ? ARGUMENTS[tool] : undefined;
  const value = key === undefined ? undefined : call.input[key];
  return typeof value === "string" ? value : undefined;
}
