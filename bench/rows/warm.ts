/** A hook in a process that stays: one line there, one line back. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contender, Opened, Row } from "../row.ts";
import { awaited, timed } from "../support/timed.ts";
import { ECHO_WORKER, LOOP_WORKER } from "../support/worker.ts";

const LINE = JSON.stringify({ event: "tool.before", sessionId: "s", tool: { name: "shell", input: { command: "ls" } } });

/** A server in a process of its own prints where it listens, and ends with us. */
const ECHO = `
const server = require("node:net").createServer((socket) => socket.on("data", (chunk) => socket.write(chunk)).on("error", () => {}));
server.listen(process.argv[1], () => console.log(process.argv[1]));
process.stdin.resume().on("end", () => process.exit());`;
const HTTP = `
const server = require("node:http").createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => process.exit());`;

async function serve(program: string, ...args: readonly string[]): Promise<{ readonly where: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ["-e", program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const where = await new Promise<string>((resolve) => child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())));
  return { where, child };
}

async function socketEcho(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
  const { where, child } = await serve(ECHO, join(folder, "socket"));
  const socket = connect(where);
  let answered = (): void => {};
  socket.on("data", (chunk: Buffer) => chunk.at(-1) === 10 && answered());
  const run = async (): Promise<void> =>
    new Promise((resolve) => {
      answered = resolve;
      socket.write(`${LINE}\n`);
    });
  return timed([awaited(run)], () => {
    socket.destroy();
    child.stdin?.end();
    rmSync(folder, { recursive: true });
  });
}

async function httpKeepAlive(): Promise<Opened> {
  const { where, child } = await serve(HTTP);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const run = async (): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request({ port: Number(where), host: "127.0.0.1", method: "POST", agent }, (response) => response.resume().on("end", resolve));
      sent.on("error", reject).end(LINE);
    });
  return timed([awaited(run)], () => {
    agent.destroy();
    child.stdin?.end();
  });
}

/** A warm hook in each form that the guide has for Node. */
const FORMS = {
  ours: { text: LOOP_WORKER, hook: (script: string) => ({ command: `'${process.execPath}' '${script}'`, worker: true }) },
  "ours, with streams": { text: ECHO_WORKER, hook: (script: string) => ({ command: `'${process.execPath}' '${script}'`, worker: true }) },
  "ours, a module": { text: "module.exports = () => {};\n", hook: (script: string) => ({ module: script }) },
};

function ours(name: keyof typeof FORMS): Contender {
  return { name, open: async () => openOurs(FORMS[name]) };
}

async function openOurs({ text, hook }: (typeof FORMS)[keyof typeof FORMS]): Promise<Opened> {
  const { check, EVENT, openEngine } = await import("../support/engine.ts");
  const folder = mkdtempSync(join(tmpdir(), "snaphook-bench-"));
  const script = join(folder, "worker.cjs");
  writeFileSync(script, text);
  const opened = await openEngine({ settings: { hooks: { "tool.before": [hook(script)] } } });
  await check(opened, EVENT, 1);
  return timed([awaited(() => opened.engine.fire(EVENT))], async () => {
    await opened.close();
    rmSync(folder, { recursive: true });
  });
}

const ECHO_NAME = "unix socket echo";
const http: Contender = { name: "HTTP keep-alive", open: httpKeepAlive };

/** Node on both sides, in two processes. */
export const warmRows: readonly Row[] = [
  {
    name: "warm",
    what: "warm hook (a process that stays, JSON lines)",
    limit: { name: ECHO_NAME, open: socketEcho },
    peers: [http, ours("ours, with streams"), ours("ours, a module")],
    ours: ours("ours"),
    goals: [{ kind: "times", of: ECHO_NAME, atMost: [2] }],
  },
];
