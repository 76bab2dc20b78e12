import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { Bridge } from "../bridge/bridge.ts";
import type { Command, Surface } from "./command.ts";
import { watchable } from "./desk.ts";

/** `snaphook bridge`. */
export const bridgeCommand: Command = {
  summary: "sessions over JSON-RPC 2.0, one message a line",
  usage: "bridge [--socket PATH] [--cwd DIR]",
  options: {
    socket: { type: "string", value: "PATH", help: "listen on a Unix socket instead of stdio; one client a connection" },
    cwd: { type: "string", value: "DIR", help: "the folder of sessions that name none" },
  },
  notes: [
    "Methods: session.create {cwd?, model, mode?, trust?} → {sessionId}; session.prompt {sessionId, prompt} → {reason, text};",
    "session.cancel and session.end {sessionId} → {}. Questions come as requests approval.request {sessionId, tool, input, reason}",
    "→ {answer: allow|always|deny, text?}. Events come as notifications session.event.",
  ],
  run: async (words, surface) => {
    const cwd = resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? ".");
    const path = words.values["socket"]?.at(-1);
    if (path !== undefined) return listen(resolve(cwd, path), cwd, surface);
    const bridge = new Bridge({
      cwd,
      env: surface.env,
      prepare: (options) => watchable(options, surface),
      send: (message) => surface.stdout(`${JSON.stringify(message)}\n`),
    });
    surface.signal.addEventListener("abort", () => void bridge.close().then(() => process.exit(0)), { once: true });
    for await (const line of surface.lines()) bridge.receive(line);
    await bridge.close();
    return 0;
  },
};

/** A client that vanishes ends its own sessions, not the process. */
async function listen(path: string, cwd: string, surface: Surface): Promise<number> {
  const open = new Set<Promise<void>>();
  const server = createServer((socket: Socket) => {
    const serving = serve(socket, cwd, surface).finally(() => open.delete(serving));
    open.add(serving);
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen({ path, readableAll: false, writableAll: false }, done);
  });
  surface.stderr(`listening on ${path}\n`);
  await new Promise<void>((done) => surface.signal.addEventListener("abort", () => done(), { once: true }));
  server.close();
  await Promise.all(open);
  return 0;
}

async function serve(socket: Socket, cwd: string, surface: Surface): Promise<void> {
  const bridge = new Bridge({
    cwd,
    env: surface.env,
    prepare: (options) => watchable(options, surface),
    send: (message) => void (socket.writable && socket.write(`${JSON.stringify(message)}\n`)),
  });
  socket.on("error", () => socket.destroy());
  surface.signal.addEventListener("abort", () => socket.destroy(), { once: true });
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) bridge.receive(line);
  await bridge.close();
}
