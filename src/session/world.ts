/** What a session and its subagents share. */
import type { JsonObject } from "../lib/json.ts";
import type { Recorder } from "../model/recorder.ts";
import type { Mode } from "../model/rule.ts";
import type { Mouth } from "./approvals.ts";
import type { LineAgent, OnText, SessionLine } from "./lines.ts";
import type { LiveEngine } from "./live-engine.ts";
import type { AgentDefinition } from "./agents.ts";
import type { SessionCore } from "./core.ts";
import type { Tool, ToolOutcome } from "./tools/tool.ts";

/** Everything outside of one conversation. */
export interface World {
  readonly live: LiveEngine;
  readonly root: string;
  readonly env: { readonly [name: string]: string };
  readonly tempDir: string;
  /** Tools by name: the session's own and those of MCP servers. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly findTool: (name: string, input: JsonObject) => Tool | undefined;
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly mouths: readonly Mouth[];
  readonly maxRounds: number;
  readonly emit: (line: SessionLine) => void;
  readonly onText: OnText;
  readonly onProgress: (text: string, agent: LineAgent) => void;
  readonly newId: () => string;
  readonly now: () => Date;
  /** What tools keep for the length of the session. */
  readonly memory: Map<string, unknown>;
  /** Starts a subagent of a conversation. */
  readonly subagent: (parent: SessionCore, request: SubagentRequest, signal: AbortSignal) => Promise<ToolOutcome>;
  /** Takes answers down; null where nobody records. */
  readonly recorder: Recorder | null;
  /** Work that goes on after its turn: background subagents. */
  readonly background: (work: Promise<unknown>) => void;
}

/** A mode that people may change while the session runs. */
export interface ModeHolder {
  mode: Mode;
}

/** What a subagent is asked. */
export interface SubagentRequest {
  readonly type: string;
  readonly prompt: string;
  readonly description: string;
  readonly background: boolean;
}
