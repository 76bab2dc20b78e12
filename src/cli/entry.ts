/** The executable: the only place that touches the process. */
import { Console } from "node:console";
import { isatty } from "node:tty";
import { createInterface } from "node:readline";
import type { Surface } from "./command.ts";
import { main } from "./main.ts";

const stop = new AbortController();
let interrupted = (): boolean => false;
process.on("SIGINT", () => void (interrupted() || stop.abort()));
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());

/** Stdout holds what the command says and nothing else: what callbacks log goes to stderr. */
globalThis.console = new Console(process.stderr);

/** What a callback leaves behind must not take a decision down with it. */
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(
    event,
    (error: unknown) => void process.stderr.write(`snaphook: a callback left an error behind: ${error instanceof Error ? error.message : String(error)}\n`),
  );
}

/** `isTTY` of a stream is absent, not false, where there is no terminal. */
const isTerminal = isatty(process.stdout.fd);

const surface: Surface = {
  env: process.env,
  cwd: process.cwd(),
  stdin: readStdin,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  terminal: {
    isTerminal,
    get columns() {
      return process.stdout.columns ?? 80;
    },
    colour: isTerminal && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
  },
  signal: stop.signal,
  onInterrupt: (listener) => void (interrupted = listener),
  lines: () => createInterface({ input: process.stdin, crlfDelay: Infinity }),
  stdinIsTerminal: process.stdin.isTTY,
};

const exitCode = await main(process.argv.slice(2), surface);
// A callback may have left timers running: the command ends when its output is out, not when they are.
// One turn of the event loop later, so that a rejection it left behind is still told.
setImmediate(() => process.stdout.write("", () => process.stderr.write("", () => process.exit(exitCode))));

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
