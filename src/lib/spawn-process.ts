/** Starts a process as Node does: a fork of this process. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeQuietly } from "./close-quietly.ts";
import type { ProcessRequest, StartedEnd, StartProcess } from "./process.ts";
import type { StdinFile } from "./stdin-file.ts";

/** The start that works everywhere. */
export const spawnProcess: StartProcess = (request, stdin, listener) => {
  const child = spawnWith(request, stdin);
  for (const stream of [child.stdout, child.stderr]) stream?.on("error", () => stream.destroy());
  child.stdout?.on("error", listener.unread);
  child.stdout?.on("data", listener.stdout);
  child.stderr?.on("data", listener.stderr);
  const ended = new Promise<StartedEnd>((resolve) => {
    child.on("exit", (code, signal) => resolve({ kind: "ended", code, signal }));
    child.on("error", (error) => resolve({ kind: "failed", error }));
  });
  let isClosed = false;
  const closed = new Promise<void>(
    (resolve) =>
      void child.on("close", () => {
        isClosed = true;
        resolve();
      }),
  );
  return {
    pid: child.pid,
    ended,
    closed,
    get isClosed() {
      return isClosed;
    },
    release: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
};

function spawnWith(request: ProcessRequest, stdin: StdinFile): ChildProcess {
  const reader = stdin.reader();
  try {
    return spawn(request.file, [...request.args], {
      cwd: request.cwd,
      env: { ...request.env },
      stdio: [reader, "pipe", "pipe", ...(request.descriptors ?? [])],
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: request.windowsVerbatim ?? false,
    });
  } finally {
    closeQuietly(reader);
  }
}
