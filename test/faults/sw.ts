import { SCENARIOS } from "./inject/scenarios.ts";
import { DAEMON_WAYS, STDINS, sweepClient, sweepDaemon } from "./inject/daemon.ts";
const o = { step: 1, ways: "in turn", processes: 1 } as const;
const t = (r: any) => process.stdout.write(`${r.name}: ${r.calls} calls, ${r.runs} runs, ${r.same} same, ${JSON.stringify(r.problems)}\n`);
for (const s of SCENARIOS.slice(0, 1)) for (const stdin of [...STDINS].reverse()) for (const way of DAEMON_WAYS.slice(0, 2)) t(await sweepDaemon(s, way, { ...o, stdin }));
for (const s of SCENARIOS.slice(1, 2)) for (const stdin of STDINS) t(await sweepClient(s, { ...o, step: 3, stdin }));
for (const s of SCENARIOS.slice(1, 2)) for (const stdin of STDINS) for (const way of DAEMON_WAYS.slice(0, 2)) t(await sweepDaemon(s, way, { ...o, step: 2, stdin }));
