import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { Bridge, type BridgeOptions } from "../bridge/bridge.ts";
import { AUDIT_OPTION } from "./audit/place.ts";
import { openRecording } from "./audit/recording.ts";
import type { Command, Surface } from "./command.ts";
import { watchable } from "./desk.ts";

/** `snaphook bridge`. */
export const bridgeCommand: Command = {
  summary: "sessions over JSON-RPC 2.0, one message a line",
  usage: "bridge [--socket PATH] [--cwd DIR]",
  options: {
    socket: { type: "string", value: "PATH", help: "listen on a Unix socket instead of stdio; one client a connection" },
    cwd: { type: "string", value: "DIR", help: "the folder of sessions that name none" },
    ...AUDIT_OPTION,
  },
  notes: [
    "Methods: session.create {cwd?, model, mode?, trust?} → {sessionId}; session.prompt {sessionId, prompt} → {reason, text};",
    "session.cancel and session.end {sessionId} → {}. Questions come as requests approval.request {sessionId, tool, input, reason}",
    "→ {answer: allow|always|deny, text?}; who answers elsewhere first is told with the notification approval.answered {sessionId,",
    "requestId, tool, answer, by}. Events come as notifications session.event.",
  ],
  run: async (words, surface) => {
    const cwd = resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? ".");
    const path = words.values["socket"]?.at(-1);
    const recording = await openRecording(words, surface, { byDefault: true });
    const options: Shared = { cwd, env: surface.env, prepare: (session) => watchable(session, surface), ...recording.options };
    try {
      if (path !== undefined) return await listen(resolve(cwd, path), options, surface);
      const bridge = new Bridge({ ...options, send: (message) => surface.stdout(`${JSON.stringify(message)}\n`) });
      surface.signal.addEventListener("abort", () => void bridge.close().then(() => process.exit(0)), { once: true });
      for await (const line of surface.lines()) bridge.receive(line);
      await bridge.close();
      return 0;
    } finally {
      await recording.close();
    }
  },
};

type Shared = Omit<BridgeOptions, "send">;

/** A client that vanishes ends its own sessions, not the process. */
async function listen(path: string, options: Shared, surface: Surface): Promise<number> {
  const open = new Set<Promise<void>>();
  const server = createServer((socket: Socket) => {
    const serving = serve(socket, options, surface).finally(() => open.delete(serving));
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

async function serve(socket: Socket, options: Shared, surface: Surface): Promise<void> {
  const bridge = new Bridge({ ...options, send: (message) => void (socket.writable && socket.write(`${JSON.stringify(message)}\n`)) });
  socket.on("error", () => socket.destroy());
  surface.signal.addEventListener("abort", () => socket.destroy(), { once: true });
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) bridge.receive(line);
  await bridge.close();
}
