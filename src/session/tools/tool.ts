/** What a tool of a session is: one file and a row each. */
import type { JsonObject } from "../../lib/json.ts";
import type { ToolOffer } from "../model/model.ts";

/** What a tool's run leaves behind. */
export interface ToolOutcome {
  readonly output: string;
  readonly isError: boolean;
}

/** What a tool may use of its session. */
export interface ToolContext {
  /** The session's working folder now; Bash may change it. */
  readonly cwd: string;
  readonly setCwd: (cwd: string) => void;
  /** The project folder. */
  readonly root: string;
  readonly env: { readonly [name: string]: string };
  readonly tempDir: string;
  readonly signal: AbortSignal;
  /** Output so far of a long run, for people who watch. */
  readonly onProgress?: (text: string) => void;
  /** Whether rules let this file be read: a search leaves out what a Read would be refused. Absent: no rules are known. */
  readonly mayRead?: (path: string) => boolean;
  /** State that a tool keeps for the length of the session, by a key of its own. */
  readonly memory: Map<string, unknown>;
  /** Starts a subagent and gives its last words. */
  readonly subagent: (request: {
    readonly type: string;
    readonly prompt: string;
    readonly description: string;
    readonly background: boolean;
  }) => Promise<ToolOutcome>;
  /** Tells the session that a task of the list was completed. */
  readonly taskCompleted: (task: JsonObject) => Promise<void>;
}

/** A tool. Its input was parsed already: `run` gets what `parse` returned. */
export interface Tool extends ToolOffer {
  /** The approver answers the call itself, and the answer is the result. */
  readonly asksApprover: boolean;
  /** What is wrong with an input, if anything; such a call fails by itself, and nobody is asked about it. */
  readonly problemOf?: (input: JsonObject) => string | null;
  /** Runs the tool. Wrong input is an error result that names the key; nothing but a cancelled signal rejects. */
  run(input: JsonObject, context: ToolContext): Promise<ToolOutcome>;
}

/** An error result. */
export function toolError(output: string): ToolOutcome {
  return { output, isError: true };
}
