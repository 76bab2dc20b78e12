/** 64 command hooks at once: how long the event loop stands still, and how soon all of them are done. */
import { tmpdir } from "node:os";
import type { Contender, Opened, Row } from "../row.ts";
import { byC, byNode, hookEnv, type Program } from "../support/processes.ts";

const AT_ONCE = 64;
const TICK_MS = 1;
const SHELL: Program = { file: "/bin/sh", args: ["-c", "true"] };

interface Burst {
  readonly start: () => Promise<unknown>;
  readonly close: () => Promise<void> | void;
}

type Measure = (start: Burst["start"]) => Promise<number>;

const stallOf: Measure = async (start) => {
  let longestMs = 0;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last - TICK_MS);
    last = now;
  };
  const timer = setInterval(tick, TICK_MS);
  await Promise.all(Array.from({ length: AT_ONCE }, start));
  tick();
  clearInterval(timer);
  return longestMs * 1_000;
};

const timeOf: Measure = async (start) => {
  const started = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, start));
  return ((performance.now() - started) * 1_000) / AT_ONCE;
};

async function node(): Promise<Burst> {
  const env = hookEnv(tmpdir());
  return { start: async () => byNode(SHELL, "{}", env), close: () => {} };
}

async function ours(): Promise<Burst> {
  const { check, EVENT, openEngine } = await import("../support/engine.ts");
  const opened = await openEngine({ dialect: "lime", settings: { hooks: { PreToolUse: ["true"] } } });
  await check(opened, EVENT, 1);
  return { start: async () => opened.engine.fire(EVENT), close: opened.close };
}

function contender(name: string, open: () => Promise<Burst>, measure: Measure): Contender {
  return {
    name,
    open: async (): Promise<Opened> => {
      const { start, close } = await open();
      await measure(start);
      return { sample: async () => [await measure(start)], close };
    },
  };
}

const NODE = "node spawn";

/** The stall, and the time of one hook among the 64. */
export const burstRows: readonly Row[] = [
  {
    name: "burst-stall",
    what: "64 hooks at once: longest stall of the event loop",
    limit: null,
    peers: [contender(NODE, node, stallOf)],
    ours: contender("ours", ours, stallOf),
    goals: [{ kind: "within", microseconds: [6_000] }],
  },
  {
    name: "burst-throughput",
    what: "64 hooks at once: time a hook",
    limit: { name: "C posix_spawn", open: async () => byC(SHELL, { atOnce: AT_ONCE }) },
    peers: [contender(NODE, node, timeOf)],
    ours: contender("ours", ours, timeOf),
    goals: [{ kind: "times", of: NODE, atMost: [0.5] }],
  },
];
