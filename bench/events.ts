/** npm run bench:events [-- EVENTS]: events through the engine with hooks of every runner. Do memory, descriptors and processes stay flat? */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine, type HookEvent } from "../src/index.ts";
import { hookEnv } from "./support/processes.ts";
import { ECHO_WORKER } from "./support/worker.ts";

const EVENTS = Number(process.argv[2] ?? 100_000);
const STEPS = 10;
/** Events under way at the same time: the machine is kept busy, and what is shared is shared. */
const AT_ONCE = 8;
/** Kinds of events are mixed: this number and a hundred have no common divisor. */
const STRIDE = 37;
/** The first steps fill caches and pools; growth counts from here on. */
const SETTLED_STEP = 3;
/** What may come and go without a leak: each event under way may hold three descriptors of the zygote, or keep them for the next one. */
const SLACK = { heapMb: 6, rssMb: 48, descriptors: 3 * AT_ONCE, children: 2 } as const;

/** An engine for each way to start commands; a hundred events go to one, a hundred to the other. */
const LAUNCHERS = ["zygote", "spawn"];
const KINDS = ["heapMb", "rssMb", "descriptors", "children"] as const;

type Mark = { readonly [kind in (typeof KINDS)[number]]: number };

/** An event that one kind of hook waits for, and how many of a hundred events are such. */
interface Share {
  readonly runner: string;
  readonly percent: number;
  readonly event: HookEvent;
}

function before(tool: string): HookEvent {
  return { name: "tool.before", sessionId: "s", tool: { name: tool, input: { command: "ls" } } };
}

// prettier-ignore
const SHARES: readonly Share[] = [
  { runner: "function",             percent: 72, event: before("Function") },
  { runner: "worker",               percent: 10, event: before("Worker") },
  { runner: "http",                 percent: 8,  event: before("Server") },
  { runner: "command, sh -c",       percent: 5,  event: before("Shell") },
  { runner: "command, sh -lc",      percent: 2,  event: { ...before("Login"), name: "tool.after" } },
  { runner: "command, no shell",    percent: 2,  event: before("Program") },
  { runner: "command that is killed", percent: 1, event: before("Killed") },
];

const folder = mkdtempSync(join(tmpdir(), "snaphook-events-"));
const server = createServer((request, response) => void request.resume().on("end", () => response.setHeader("content-type", "application/json").end("{}")));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
try {
  const engines = await Promise.all(LAUNCHERS.map(async (launcher) => open(launcher, server.address())));
  const flat = await run(engines);
  await Promise.all(engines.map(async (engine) => engine.close()));
  process.exitCode = flat ? 0 : 1;
} finally {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, maxRetries: 3 });
}

async function open(launcher: string, address: ReturnType<typeof server.address>): Promise<Engine> {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  writeFileSync(join(folder, "worker.cjs"), ECHO_WORKER);
  const native = [
    { matcher: "Worker", command: `'${process.execPath}' worker.cjs`, worker: true },
    { matcher: "Server", url: `http://127.0.0.1:${address.port}/` },
    { matcher: "Shell", command: "cat >/dev/null" },
    { matcher: "Killed", command: "kill -9 $$", onFault: "allow" },
  ];
  const files = {
    snaphook: { hooks: { "tool.before": native } },
    claw: { hooks: { PostToolUse: ["true"] } },
    goose: { hooks: { pre_tool_use: [{ command: "true", tool_name: "Program" }] } },
  };
  for (const [dialect, settings] of Object.entries(files)) writeFileSync(join(folder, `${dialect}.json`), JSON.stringify(settings));
  const configs = Object.keys(files).map((dialect) => ({ file: join(folder, `${dialect}.json`), dialect }));
  const hooks = [{ event: "tool.before" as const, matcher: ["Function"], call: async () => ({ verdict: "allow" as const }) }];
  const engine = await createEngine({ cwd: folder, env: { ...hookEnv(folder), SNAPHOOK_LAUNCHER: launcher }, configs, hooks });
  for (const { message } of engine.configuration.notices) console.log(`note: ${message}`);
  return engine;
}

async function run(engines: readonly Engine[]): Promise<boolean> {
  const order = SHARES.flatMap(({ percent, event }) => Array.from({ length: percent }, () => event));
  for (const engine of engines) {
    for (const { runner, event } of SHARES) {
      const { hooks } = await engine.fire(event);
      if (hooks.length !== 1) throw new Error(`${hooks.length} hooks ran for "${runner}" instead of one`);
    }
  }
  console.log(
    `${EVENTS} events, ${AT_ONCE} at once, by ${LAUNCHERS.join(" and ")}, of each hundred: ${SHARES.map(({ runner, percent }) => `${percent} ${runner}`).join("; ")}`,
  );
  console.log("  events    heap MB     rss MB  descriptors  children   µs an event");
  const marks: Mark[] = [];
  let done = 0;
  for (let step = 0; step <= STEPS; step += 1) {
    const started = performance.now();
    const until = Math.floor((EVENTS * step) / STEPS);
    const count = until - done;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (done < until) {
          const next = done++;
          await engines[Math.floor(next / order.length) % engines.length]?.fire(order[(next * STRIDE) % order.length] ?? before("Function"));
        }
      }),
    );
    const perEvent = count > 0 ? ((performance.now() - started) * 1_000) / count : 0;
    const mark = await look();
    marks.push(mark);
    console.log(line(done, mark, perEvent));
  }
  return isFlat(marks);
}

/** After the garbage is gone. */
async function look(): Promise<Mark> {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heapMb: heapUsed / 1_048_576, rssMb: rss / 1_048_576, descriptors: descriptors(), children: children() };
}

/** Zero where there is no /proc. */
function descriptors(): number {
  return existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
}

function children(): number {
  const path = `/proc/self/task/${process.pid}/children`;
  return existsSync(path) ? readFileSync(path, "utf8").split(" ").filter(Boolean).length : 0;
}

function line(events: number, mark: Mark, perEvent: number): string {
  const cells = [String(events).padStart(8), mark.heapMb.toFixed(1).padStart(9), mark.rssMb.toFixed(1).padStart(9)];
  return [...cells, String(mark.descriptors).padStart(11), String(mark.children).padStart(8), perEvent.toFixed(0).padStart(12)].join("  ");
}

function isFlat(marks: readonly Mark[]): boolean {
  const [from, to] = [marks[SETTLED_STEP], marks.at(-1)];
  if (!from || !to) return false;
  const grown = KINDS.filter((kind) => to[kind] - from[kind] > SLACK[kind]);
  console.log(grown.length === 0 ? "flat" : `grew: ${grown.map((kind) => `${kind} ${from[kind].toFixed(1)} → ${to[kind].toFixed(1)}`).join(", ")}`);
  return grown.length === 0;
}
