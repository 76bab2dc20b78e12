/** A session's side of the tools, for tests. */
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../../src/lib/json.ts";
import { disposeTools, toolNamed } from "../../../src/session/tools/index.ts";
import type { Tool, ToolContext, ToolOutcome } from "../../../src/session/tools/tool.ts";
import { tempFolder } from "../../support/temp.ts";

/** A folder with tools that work in it. */
export interface Bench {
  readonly folder: string;
  readonly memory: Map<string, unknown>;
  readonly context: (changes?: Partial<ToolContext>) => ToolContext;
  readonly run: (tool: string | Tool, input: JsonObject, changes?: Partial<ToolContext>) => Promise<ToolOutcome>;
}

/** A bench of the running test's own; whatever it started ends with the test. */
export function bench(env: { readonly [name: string]: string } = {}): Bench {
  const folder = tempFolder();
  const tempDir = tempFolder();
  const memory = new Map<string, unknown>();
  let cwd = folder;
  onTestFinished(async () => disposeTools(memory));
  const context = (changes: Partial<ToolContext> = {}): ToolContext => ({
    cwd,
    setCwd: (next) => {
      cwd = next;
    },
    root: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...env },
    tempDir,
    signal: new AbortController().signal,
    memory,
    subagent: async (request) => ({ output: JSON.stringify(request), isError: false }),
    taskCompleted: async () => {},
    ...changes,
  });
  const run: Bench["run"] = async (tool, input, changes) => {
    const found = typeof tool === "string" ? toolNamed(tool, input) : tool;
    if (!found) throw new Error(`there is no such tool: ${JSON.stringify(tool)}`);
    return found.run(input, context(changes));
  };
  return { folder, memory, context, run };
}

/** A result that is fine. */
export function fine(output: string): ToolOutcome {
  return { output, isError: false };
}

/** A result that is an error. */
export function wrong(output: string): ToolOutcome {
  return { output, isError: true };
}
