// Gemini CLI: its hook runner, its hook dispatch and its policy engine.
import { HookAggregator } from "@google/gemini-cli-core/dist/src/hooks/hookAggregator.js";
import { HookEventHandler } from "@google/gemini-cli-core/dist/src/hooks/hookEventHandler.js";
import { HookPlanner } from "@google/gemini-cli-core/dist/src/hooks/hookPlanner.js";
import { HookRegistry } from "@google/gemini-cli-core/dist/src/hooks/hookRegistry.js";
import { HookRunner } from "@google/gemini-cli-core/dist/src/hooks/hookRunner.js";
import { HookEventName } from "@google/gemini-cli-core/dist/src/hooks/types.js";
import { PolicyEngine } from "@google/gemini-cli-core/dist/src/policy/policy-engine.js";
import { PolicyDecision } from "@google/gemini-cli-core/dist/src/policy/types.js";
import { initializeShellParsers } from "@google/gemini-cli-core/dist/src/utils/shell-utils.js";

const { ALLOW, DENY, ASK_USER } = PolicyDecision;
console.debug = () => {}; // it tells of every hook and every rule it looks at

/** As much of a configuration as hooks ask for. */
function configuration(cwd) {
  const config = {
    isTrustedFolder: () => true,
    sanitizationConfig: {},
    storage: { getPlansDir: () => cwd },
    getSessionId: () => "s",
    getWorkingDir: () => cwd,
    getTelemetryEnabled: () => false,
    getTelemetryLogPromptsEnabled: () => false,
    getUsageStatisticsEnabled: () => false,
    isInteractive: () => false,
    getExperiments: () => undefined,
  };
  return config;
}

/** One command hook, as its runner starts it. */
export async function command({ cwd, line, event }) {
  const runner = new HookRunner(configuration(cwd));
  const hook = { type: "command", command: line };
  const input = { session_id: "s", transcript_path: "", cwd, hook_event_name: "BeforeTool", timestamp: new Date().toISOString(), ...event };
  return async () => {
    const { success, error } = await runner.executeHook(hook, HookEventName.BeforeTool, input);
    if (!success) throw error ?? new Error("the hook failed");
  };
}

/** Several command hooks of one event, one after another. */
export async function commands({ cwd, line, count, event }) {
  const runner = new HookRunner(configuration(cwd));
  const hooks = Array.from({ length: count }, () => ({ type: "command", command: line }));
  const input = { session_id: "s", transcript_path: "", cwd, hook_event_name: "AfterTool", timestamp: new Date().toISOString(), ...event };
  return async () => {
    const results = await runner.executeHooksSequential(hooks, HookEventName.AfterTool, input);
    if (results.some(({ success }) => !success)) throw new Error("a hook failed");
  };
}

/** An event through planner, runner and aggregator: so many functions that match, so many that do not. */
export async function dispatch({ hooks = 0, others = 0, cwd }) {
  const config = configuration(cwd);
  const registry = new HookRegistry(config);
  const add = (name, matcher) => registry.registerHook({ type: "runtime", name, action: async () => undefined }, HookEventName.BeforeTool, { matcher });
  for (let index = 0; index < hooks; index++) add(`hook ${index}`);
  for (let index = 0; index < others; index++) add(`other ${index}`, `^other_tool_${index}$`);
  const handler = new HookEventHandler({ config }, new HookPlanner(registry), new HookRunner(config), new HookAggregator());
  return async () => {
    const { success, errors } = await handler.fireBeforeToolEvent("run_shell_command", { command: "ls" });
    if (!success) throw errors[0] ?? new Error("dispatch failed");
  };
}

/** Decisions of its policy engine on as many rules of the same kinds. */
export async function policy({ rules: count, calls }) {
  await initializeShellParsers();
  const rules = [];
  for (let index = 0; index < count; index++) {
    rules.push(
      [
        { toolName: "run_shell_command", argsPattern: new RegExp(`"command":"tool${index} run `), decision: DENY },
        { toolName: "run_shell_command", argsPattern: new RegExp(`"command":"git sub${index} `), decision: ALLOW },
        { toolName: "read_file", argsPattern: new RegExp(`/data/d${index}/`), decision: DENY },
        { toolName: `mcp__server${index}__tool`, decision: ALLOW },
      ][index % 4],
    );
  }
  rules.push({ toolName: "run_shell_command", argsPattern: /"command":"pnpm /, decision: ALLOW });
  const engine = new PolicyEngine({ rules: rules.map((rule, index) => ({ ...rule, priority: count - index })), defaultDecision: ASK_USER });
  let next = 0;
  return () => engine.check(calls[next++ % calls.length], undefined);
}
