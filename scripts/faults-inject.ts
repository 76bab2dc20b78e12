// npm run faults:inject -- [--step N] [--processes N] [--only TEXT] [--cli-step N]: lets every file, process and network call of the decision path fail in turn.
import { parseArgs } from "node:util";
import { SCENARIOS } from "../test/faults/inject/scenarios.ts";
import { sweepCli, sweepLibrary, type SweepReport } from "../test/faults/inject/sweep.ts";

const { values } = parseArgs({
  options: {
    step: { type: "string", default: "1" },
    "cli-step": { type: "string", default: "1" },
    processes: { type: "string", default: "2" },
    only: { type: "string", default: "" },
  },
});
const processes = Number(values.processes);
let [runs, found] = [0, 0];

function tell(way: string, { name, calls, runs: made, same, problems }: SweepReport): void {
  runs += made;
  found += problems.length;
  console.log(
    `${problems.length === 0 ? "ok  " : "FAIL"} ${way}, ${name}: ${calls} calls, ${made} runs, ${same} as without a fault, ${problems.length} problems`,
  );
  for (const problem of problems.slice(0, 40)) console.log(`     ${problem.split("\n").slice(0, 6).join("\n       ")}`);
}

for (const scenario of SCENARIOS.filter(({ name }) => name.includes(values.only))) {
  if (Number(values.step) > 0) tell("library", await sweepLibrary(scenario, { step: Number(values.step), ways: "all", processes }));
  // Each start of the command line costs: one way for each call, another one for the next.
  if (Number(values["cli-step"]) > 0) tell("command line", await sweepCli(scenario, { step: Number(values["cli-step"]), ways: "in turn", processes }));
}
console.log(`${runs} runs, ${found} problems`);
process.exitCode = found === 0 ? 0 : 1;
