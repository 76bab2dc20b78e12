/** Subagent definitions: markdown with front matter, in the folders that agents use. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseDocument } from "../lib/document/parse.ts";
import { plainValue } from "../lib/document/node.ts";
import { isObject } from "../lib/json.ts";
import type { Notice } from "../model/notice.ts";
import { agentEntry, type TrustEntry } from "../trust/entry.ts";
import { leftOutText } from "../trust/standing.ts";
import type { Trust } from "../trust/trust.ts";

/** One kind of subagent. */
export interface AgentDefinition {
  readonly type: string;
  readonly description: string;
  /** Its system prompt. */
  readonly prompt: string;
  /** Tools it may use; null: those of its parent. */
  readonly tools: readonly string[] | null;
  readonly file: string;
}

/** Folders that hold definitions, the project's before the user's: the first of a name counts. */
const FOLDERS = [".snaphook/agents", ".claude/agents", ".robota/agents"];

/** Reads every definition that is found and may be used. */
export async function readAgents({
  root,
  home,
  trust,
}: {
  readonly root: string;
  readonly home: string;
  readonly trust: Trust;
}): Promise<{ readonly agents: ReadonlyMap<string, AgentDefinition>; readonly notices: readonly Notice[] }> {
  const agents = new Map<string, AgentDefinition>();
  const standings = trust.judge(agentEntries({ root, home }));
  const left = [...standings].filter(([, { kind }]) => kind !== "trusted");
  const notices = left.map(([entry, standing]): Notice => ({ kind: "not-trusted", message: leftOutText(entry.label, standing, "agent"), ...entry.source }));
  const dropped = new Set(left.map(([{ source }]) => source?.file));
  for (const file of [root, home].flatMap(definitionsIn)) {
    if (dropped.has(file)) continue;
    const read = await readAgent(file);
    if ("kind" in read) notices.push(read);
    else if (!agents.has(read.type)) agents.set(read.type, read);
  }
  return { agents, notices };
}

/** The definitions that come with a project, as entries that need trust. */
export function agentEntries({ root, home }: { readonly root: string; readonly home: string }): readonly TrustEntry[] {
  const own = new Set(definitionsIn(home));
  return definitionsIn(root)
    .filter((file) => !own.has(file))
    .map((file) => agentEntry(file, { root }));
}

function definitionsIn(base: string): readonly string[] {
  if (base === "") return [];
  return FOLDERS.map((name) => join(base, name))
    .filter((path) => existsSync(path))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((each) => each.endsWith(".md"))
        .toSorted()
        .map((name) => join(folder, name)),
    );
}

async function readAgent(file: string): Promise<AgentDefinition | Notice> {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const [, front = "", body = text] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? [];
  const document = await parseDocument(front, "yaml");
  if (document.kind === "broken")
    return {
      kind: "unreadable-file",
      message: `${file}: its front matter can't be parsed: ${document.message}`,
      file,
      line: document.at.line + 1,
      column: document.at.column,
    };
  const fields = plainValue(document.root);
  const field = (name: string): unknown => (isObject(fields) ? fields[name] : undefined);
  const name = field("name");
  const tools = field("tools");
  const description = field("description");
  return {
    type: typeof name === "string" && name !== "" ? name : basename(file, ".md"),
    description: typeof description === "string" ? description : "",
    prompt: body.trim(),
    tools: toolNames(tools),
    file,
  };
}

/** `tools: Read, Grep` or a list. */
function toolNames(value: unknown): readonly string[] | null {
  if (typeof value === "string" && value.trim() !== "") return value.split(",").map((name) => name.trim());
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : null;
}
