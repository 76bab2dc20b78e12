import { canonicalCall } from "../dialects/spelling.ts";
import { TOOLS, type ToolCall } from "../model/tools.ts";
import { conclude } from "./conclude.ts";
import type { Findings } from "./findings.ts";
import type { Judgement } from "./judgement.ts";
import { judgeFile } from "./judge-file.ts";
import { judgeOther } from "./judge-other.ts";
import { judgeShell } from "./judge-shell.ts";
import type { Policy } from "./rules.ts";
import type { Scene } from "./scene.ts";

/** What the gate says about a call: any deny, then any ask, then an allow that covers all of it, else the mode. */
export function evaluate(call: ToolCall, policy: Policy, scene: Scene): Judgement {
  const canonical = isCanonical(call) ? call : canonicalCall(call);
  return conclude(canonical.name, judgeCall(canonical, policy, scene), scene);
}

/** What the rules say about a call with a canonical name, before steps and mode. */
export function judgeCall(call: ToolCall, policy: Policy, scene: Scene): Findings {
  return (JUDGES.get(call.name) ?? judgeOther)(call, policy, scene);
}

type Judge = (call: ToolCall, policy: Policy, scene: Scene) => Findings;

const JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ["shell", judgeShell],
  ["read", judgeFile],
  ["write", judgeFile],
  ["edit", judgeFile],
  ["grep", judgeFile],
]);

/** The usual case: nothing to translate. */
function isCanonical({ name, input }: ToolCall): boolean {
  if (name.startsWith("mcp__")) return true;
  const argument = ARGUMENTS.get(name);
  return argument !== undefined && Object.hasOwn(input, argument);
}

const ARGUMENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(TOOLS).flatMap(([name, { argument }]): readonly [string, string][] => (argument === null ? [] : [[name, argument]])),
);
