/** A command hook that does nothing: what starting it costs, from a small process and from a large one, and when its shell starts a program. */
import { tmpdir } from "node:os";
import type { Contender, Row } from "../row.ts";
import { openPeer } from "../support/peers.ts";
import { byC, byNode, hookEnv, type Program } from "../support/processes.ts";
import { awaited, timed } from "../support/timed.ts";

/** What the hooks of these rows are given. */
const STDIN = JSON.stringify({ session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } });
const SHELL = shellFor("true");
/** Not the builtin of the same name. */
const PROGRAM = "/bin/true";
const HEAP_MB = 1_024;
const C_RUNS = 20;

function shellFor(text: string): Program {
  return { file: "/bin/sh", args: ["-c", text] };
}

function byPosixSpawn(program: Program): Contender {
  return { name: "C posix_spawn", open: async () => byC(program, { runs: C_RUNS }) };
}

function byNodeSpawn(program: Program): Contender {
  return {
    name: "node spawn",
    open: async () => {
      const env = hookEnv(tmpdir());
      return timed([awaited(() => byNode(program, STDIN, env))]);
    },
  };
}

const C = byPosixSpawn(SHELL);
const node = byNodeSpawn(SHELL);

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

function byUs(text: string): Contender {
  return {
    name: "ours",
    open: async () => {
      const { check, EVENT, openEngine } = await import("../support/engine.ts");
      const opened = await openEngine({ dialect: "lime", settings: { hooks: { PreToolUse: [text] } } });
      await check(opened, EVENT, 1);
      return timed([awaited(() => opened.engine.fire(EVENT))], opened.close);
    },
  };
}

const ours = byUs("true");

/** From a small process, from one that holds a gigabyte of objects, and with a program behind the shell. */
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
  {
    name: "command-program",
    what: "a command hook whose shell starts a program, sh -c /bin/true",
    limit: byPosixSpawn(shellFor(PROGRAM)),
    peers: [byNodeSpawn(shellFor(PROGRAM))],
    ours: byUs(PROGRAM),
    goals: [{ kind: "times", of: C.name, atMost: [1.3] }],
  },
];
