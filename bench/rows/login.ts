/** A command hook in a login shell, as claw starts them: each time from its profile on, or from a shell that has read it. */
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import type { Contender, Opened, Row } from "../row.ts";
import { byC, byNode, hookEnv, type Program } from "../support/processes.ts";
import { awaited, timed } from "../support/timed.ts";

const LOGIN: Program = { file: "/bin/sh", args: ["-lc", "true"] };
const SETTINGS = { hooks: { PreToolUse: ["true"] } };
const C_RUNS = 8;

const C: Contender = { name: "C posix_spawn", open: async () => byC(LOGIN, { runs: C_RUNS }) };

const node: Contender = {
  name: "node spawn",
  open: async () => {
    const env = hookEnv(tmpdir());
    return timed([awaited(() => byNode(LOGIN, "{}", env))]);
  },
};

/** The limit of a shell that stays: a subshell for each line that it reads. */
const warmShell: Contender = { name: "a login shell that stays", open: warmLogin };

async function warmLogin(): Promise<Opened> {
  const shell = spawn("/bin/sh", ["-l"], { env: hookEnv(tmpdir()), stdio: ["pipe", "pipe", "ignore"] });
  const run = async (): Promise<void> =>
    new Promise((resolve) => {
      const heard = (chunk: Buffer): void => {
        if (!chunk.includes("ended 0\n")) return;
        shell.stdout.off("data", heard);
        resolve();
      };
      shell.stdout.on("data", heard);
      shell.stdin.write("(true); echo ended $?\n");
    });
  return timed([awaited(run)], () => void shell.kill());
}

const warm: Contender = {
  name: "ours",
  open: async () => {
    const { check, EVENT, openEngine } = await import("../support/engine.ts");
    const opened = await openEngine({ dialect: "claw", settings: SETTINGS });
    await check(opened, EVENT, 1);
    return timed([awaited(() => opened.engine.fire(EVENT))], opened.close);
  },
};

/** The first event of an engine; opening and closing it is not timed. */
const cold: Contender = {
  name: "ours",
  open: async () => {
    const { EVENT, openEngine } = await import("../support/engine.ts");
    const sample = async (): Promise<readonly number[]> => {
      let totalMs = 0;
      for (let run = 0; run < C_RUNS; run += 1) {
        const { engine, close } = await openEngine({ dialect: "claw", settings: SETTINGS });
        const started = performance.now();
        const { hooks } = await engine.fire(EVENT);
        totalMs += performance.now() - started;
        await close();
        if (hooks.length !== 1 || hooks[0]?.fault) throw new Error("the hook failed");
      }
      return [(totalMs * 1_000) / C_RUNS];
    };
    await sample();
    return { sample, close: () => {} };
  },
};

/** Warm: any event but the first. Cold: the first. */
export const loginRows: readonly Row[] = [
  {
    name: "login-warm",
    what: "sh -lc true (claw), warm",
    limit: C,
    peers: [node, warmShell],
    ours: warm,
    goals: [{ kind: "times", of: C.name, atMost: [0.25] }],
  },
  {
    name: "login-cold",
    what: "sh -lc true (claw), cold",
    limit: C,
    peers: [node],
    ours: cold,
    goals: [{ kind: "times", of: C.name, atMost: [1.3] }],
  },
];
