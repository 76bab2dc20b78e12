/** A command hook that does nothing: what starting it costs, from a small process and from a large one. */
import { tmpdir } from "node:os";
import type { Contender, Row } from "../row.ts";
import { openPeer } from "../support/peers.ts";
import { byC, byNode, hookEnv, type Program } from "../support/processes.ts";
import { awaited, timed } from "../support/timed.ts";

/** What the hooks of these rows are given. */
const STDIN = JSON.stringify({ session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } });
const SHELL: Program = { file: "/bin/sh", args: ["-c", "true"] };
const HEAP_MB = 1_024;
const C_RUNS = 20;

const C: Contender = { name: "C posix_spawn", open: async () => byC(SHELL, { runs: C_RUNS }) };

const node: Contender = {
  name: "node spawn",
  open: async () => {
    const env = hookEnv(tmpdir());
    return timed([awaited(() => byNode(SHELL, STDIN, env))]);
  },
};

const execa: Contender = {
  name: "execa",
  open: async () => {
    const run = await openPeer("packages.mjs", "execaCommand", { args: SHELL.args, stdin: STDIN, env: hookEnv(tmpdir()) });
    return timed([awaited(run)]);
  },
};

const gemini: Contender = {
  name: "Gemini CLI",
  open: async () => {
    const run = await openPeer("gemini.mjs", "command", { cwd: tmpdir(), line: "true", event: { tool_name: "Bash", tool_input: { command: "ls" } } });
    return timed([awaited(run)]);
  },
};

const ours: Contender = {
  name: "ours",
  open: async () => {
    const { check, EVENT, openEngine } = await import("../support/engine.ts");
    const opened = await openEngine({ dialect: "lime", settings: { hooks: { PreToolUse: ["true"] } } });
    await check(opened, EVENT, 1);
    return timed([awaited(() => opened.engine.fire(EVENT))], opened.close);
  },
};

/** From a small process, and from one that holds a gigabyte of objects. */
export const commandRows: readonly Row[] = [
  {
    name: "command",
    what: "command hook, sh -c true",
    limit: C,
    peers: [node, execa, gemini],
    ours,
    goals: [{ kind: "times", of: C.name, atMost: [1.15] }],
  },
  {
    name: "command-heap",
    what: "the same from a process with a 1 GB JS heap",
    limit: C,
    peers: [{ ...node, heapMb: HEAP_MB }],
    ours: { ...ours, heapMb: HEAP_MB },
    goals: [{ kind: "times", of: C.name, atMost: [1.3] }],
  },
];
