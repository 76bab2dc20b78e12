/** Starts the zygote itself. */
import { spawn, type ChildProcess } from "node:child_process";
import { ZYGOTE_SCRIPT } from "./script.ts";

/** The call that makes a session leader, by architecture: the script loads no module, which would double its size. */
const SETSID_CALL: { readonly [arch: string]: number } = { x64: 112, arm64: 157, riscv64: 157, loong64: 157 };
/** What runs the zygote. */
export const ZYGOTE_PROGRAM = "/usr/bin/perl";

/** Whether a zygote could run here. */
export function zygotePossible(): boolean {
  return process.platform === "linux" && Object.hasOwn(SETSID_CALL, process.arch);
}

/** Starts it. Nothing of it keeps this process alive: a program that runs does, by its timer. */
export function spawnZygote(env: { readonly [name: string]: string }): ChildProcess {
  const child = spawn(ZYGOTE_PROGRAM, ["-e", ZYGOTE_SCRIPT, String(SETSID_CALL[process.arch])], {
    cwd: "/",
    env,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  // Without a free descriptor there are no streams either: its error tells.
  const streams: readonly (object | null | undefined)[] = [child, child.stdin, child.stdout];
  for (const held of streams) if (held && "unref" in held && typeof held.unref === "function") held.unref();
  return child;
}

/** The user and group as which programs are started. */
export function rightsNow(): string {
  return `${process.geteuid?.()}:${process.getegid?.()}`;
}
