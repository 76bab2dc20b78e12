// npm run faults:inject -- [--step N] [--processes N] [--only TEXT] [--cli-step N] [--daemon-step N]: lets every file, process and network call of the decision
// path fail in turn, in the library, on the command line, in the daemon and in its shell client. A step of 0 leaves one out.
import { parseArgs } from "node:util";
import { needs } from "../test/support/needs.ts";
import { DAEMON_WAYS, STDINS, sweepClient, sweepDaemon } from "../test/faults/inject/daemon.ts";
import { SCENARIOS } from "../test/faults/inject/scenarios.ts";
import { sweepCli, sweepLibrary, type SweepReport } from "../test/faults/inject/sweep.ts";

const { values } = parseArgs({
  options: {
    step: { type: "string", default: "1" },
    "cli-step": { type: "string", default: "1" },
    "daemon-step": { type: "string", default: "1" },
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

const scenarios = SCENARIOS.filter(({ name, needs: program }) => name.includes(values.only) && (program === undefined || !needs(program)));
for (const scenario of scenarios) {
  if (Number(values.step) > 0) tell("library", await sweepLibrary(scenario, { step: Number(values.step), ways: "all", processes }));
  // Each start of the command line costs: one way for each call, another one for the next.
  if (Number(values["cli-step"]) > 0) tell("command line", await sweepCli(scenario, { step: Number(values["cli-step"]), ways: "in turn", processes }));
}
// A denial and a question are enough: the daemon runs the same command line.
const daemonStep = Number(values["daemon-step"]);
for (const scenario of daemonStep > 0 && process.platform === "linux" ? scenarios.slice(0, 2) : []) {
  for (const stdin of STDINS) {
    const options = { step: daemonStep, ways: "in turn", processes, stdin } as const;
    for (const way of DAEMON_WAYS) tell("daemon", await sweepDaemon(scenario, way, options));
    if (!needs("strace")) tell("client", await sweepClient(scenario, options));
  }
}
console.log(`${runs} runs, ${found} problems`);
process.exitCode = found === 0 ? 0 : 1;
