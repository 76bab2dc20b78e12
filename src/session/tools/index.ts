/** The tools of a session, one row each, in the order in which they are offered. */
import { canonicalName } from "../../dialects/spelling.ts";
import type { JsonObject } from "../../lib/json.ts";
import { TOOLS } from "../../model/tools.ts";
import { agentTool } from "./agent.ts";
import { askUserQuestionTool } from "./ask-user-question.ts";
import { bashOutputTool } from "./bash-output.ts";
import { bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { killShellTool } from "./kill-shell.ts";
import { readTool } from "./read.ts";
import { taskCreateTool } from "./task-create.ts";
import { taskListTool } from "./task-list.ts";
import { taskUpdateTool } from "./task-update.ts";
import type { Tool } from "./tool.ts";
import { webFetchTool } from "./web-fetch.ts";
import { writeTool } from "./write.ts";

export { disposeTools } from "./shells.ts";

/** Every built-in tool [S2]. */
export const TOOL_LIST: readonly Tool[] = [
  bashTool,
  readTool,
  writeTool,
  editTool,
  globTool,
  grepTool,
  webFetchTool,
  agentTool,
  askUserQuestionTool,
  taskCreateTool,
  taskUpdateTool,
  taskListTool,
  bashOutputTool,
  killShellTool,
];

const BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOL_LIST.map((tool) => [tool.name, tool]));

/** The built-in tool of a name, in any dialect's spelling [E3]; the input tells apart tools that a dialect spells alike. */
export function toolNamed(name: string, input?: JsonObject): Tool | undefined {
  const canonical = canonicalName(name, input);
  return BY_NAME.get(name) ?? (canonical && BY_NAME.get(TOOLS[canonical].ruleName));
}
