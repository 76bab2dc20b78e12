/** A large tool output that five hooks read to its end. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contender, Opened, Points, Row } from "../row.ts";
import { openPeer } from "../support/peers.ts";
import { byNode, hookEnv, type Program } from "../support/processes.ts";
import { awaited, timed } from "../support/timed.ts";

const HOOKS = 5;
const NODE = "node stringify per hook";
const READ = "cat >/dev/null";
const PROGRAM: Program = { file: "/bin/sh", args: ["-c", READ] };
const MEGABYTE = 1_000_000;

/** Lines as tools print them: some need escapes in JSON. */
function output(bytes: number): string {
  const line = 'src/engine/fire.ts:42:\tconst matched = match(registry, "given"); // é\n';
  return line.repeat(Math.ceil(bytes / Buffer.byteLength(line)));
}

/** Written once, read by nobody. */
function once(sizes: readonly number[]): Contender {
  return {
    name: "stringify once",
    open: async () => {
      const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
      const file = join(folder, "payload");
      const works = sizes.map(output).map((text) =>
        awaited(() => {
          writeFileSync(file, JSON.stringify({ tool_name: "Bash", tool_response: text }));
          closeSync(openSync(file, "r"));
          unlinkSync(file);
        }),
      );
      return timed(works, () => rmSync(folder, { recursive: true }));
    },
  };
}

function node(sizes: readonly number[]): Contender {
  return {
    name: NODE,
    open: async () => {
      const env = hookEnv(tmpdir());
      const works = sizes.map(output).map((text) =>
        awaited(async () => {
          for (let hook = 0; hook < HOOKS; hook += 1) await byNode(PROGRAM, JSON.stringify({ tool_name: "Bash", tool_response: text }), env);
        }),
      );
      return timed(works);
    },
  };
}

function gemini(sizes: readonly number[]): Contender {
  return {
    name: "Gemini CLI",
    open: async () => {
      const tasks = sizes.map((bytes) => ({
        cwd: tmpdir(),
        line: READ,
        count: HOOKS,
        event: { tool_name: "Bash", tool_input: {}, tool_response: output(bytes) },
      }));
      const runs = await Promise.all(tasks.map((task) => openPeer("gemini.mjs", "commands", task)));
      return timed(runs.map((run) => awaited(run)));
    },
  };
}

function ours(sizes: readonly number[]): Contender {
  return { name: "ours", open: async () => openOurs(sizes) };
}

async function openOurs(sizes: readonly number[]): Promise<Opened> {
  const { check, openEngine } = await import("../support/engine.ts");
  const opened = await openEngine({ settings: { hooks: { "tool.after": Array.from({ length: HOOKS }, () => ({ command: READ })) } } });
  const events = sizes.map((bytes) => ({ name: "tool.after" as const, sessionId: "s", tool: { name: "Bash", input: {}, output: output(bytes) } }));
  for (const event of events.slice(0, 1)) await check(opened, event, HOOKS);
  return timed(
    events.map((event) => awaited(() => opened.engine.fire(event))),
    opened.close,
  );
}

function row(name: string, what: string, { at, points, goals }: { at: readonly number[]; points?: Points; goals: Row["goals"] }): Row {
  return { name, what, ...(points && { points }), limit: once(at), peers: [node(at), gemini(at)], ours: ours(at), goals, rounds: 5 };
}

const SIZES = [1_000, 10_000, 100_000, MEGABYTE, 10 * MEGABYTE, 50 * MEGABYTE];

/** Row of the table. */
export const payloadRows: readonly Row[] = [
  row("payload", "50 MB of tool output to 5 hooks", {
    at: [50 * MEGABYTE],
    goals: [{ kind: "times", of: NODE, atMost: [0.3] }],
  }),
];

/** The same over sizes, for the plots. */
export const payloadSeries: readonly Row[] = [
  row("bytes", "tool output to 5 hooks that read it", { at: SIZES, points: { axis: "bytes", at: SIZES }, goals: [] }),
];
