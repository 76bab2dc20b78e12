// Gemini CLI's policy engine on the same kinds of rules and calls: microseconds a decision, medians.
import { PolicyEngine } from "@google/gemini-cli-core/dist/src/policy/policy-engine.js";
import { PolicyDecision } from "@google/gemini-cli-core/dist/src/policy/types.js";
import { initializeShellParsers } from "@google/gemini-cli-core/dist/src/utils/shell-utils.js";

const { ALLOW, DENY, ASK_USER } = PolicyDecision;

function engine(count) {
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
  return new PolicyEngine({ rules: rules.map((rule, index) => ({ ...rule, priority: count - index })), defaultDecision: ASK_USER });
}

/** Decisions at 10 and 10,000 rules. */
export async function measure(median) {
  console.debug = () => {}; // it tells of every rule it looks at
  await initializeShellParsers();
  const rows = [];
  for (const [what, call] of [
    ["not shell", { name: "read_file", args: { file_path: "/srv/proj/src/a.ts" } }],
    ["shell", { name: "run_shell_command", args: { command: "pnpm install && pnpm test -- --watch" } }],
  ]) {
    const microseconds = [];
    for (const count of [10, 10_000]) {
      const policy = engine(count);
      microseconds.push(await median(() => policy.check(call, undefined), count > 100 ? 20 : 200));
    }
    rows.push({ peer: "Gemini CLI", what, microseconds });
  }
  return rows;
}
