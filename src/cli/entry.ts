/** The executable: the only place that touches the process. What a plain `fire` does not need is loaded when it is used: every hook call pays its start. */
import type { Surface } from "./command.ts";
import { main } from "./main.ts";
import { readInput, writeOutput } from "./standard-streams.ts";

let stop: AbortController | undefined;
let interrupted = (): boolean => false;

/** Stdout holds what the command says and nothing else: what callbacks log goes to stderr. */
Object.defineProperty(console, "_stdout", { configurable: true, get: () => process.stderr });

/** What a callback leaves behind must not take a decision down with it. */
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) =>
    writeOutput(2, `snaphook: a callback left an error behind: ${error instanceof Error ? error.message : String(error)}\n`),
  );
}

const surface: Surface = {
  env: process.env,
  cwd: process.cwd(),
  stdin: readInput,
  stdout: (text) => writeOutput(1, text),
  stderr: (text) => writeOutput(2, text),
  get terminal() {
    // `isTTY` of a stream is absent, not false, where there is no terminal.
    const isTerminal = process.stdout.isTTY ?? false;
    return {
      isTerminal,
      get columns() {
        return process.stdout.columns ?? 80;
      },
      colour: isTerminal && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
    };
  },
  /** Listened for from the first use on: until then, while stdin is read, a signal ends the process as it ends any other. */
  get signal() {
    return (stop ??= listen()).signal;
  },
  onInterrupt: (listener) => void (interrupted = listener),
  lines: async function* () {
    const { createInterface } = await import("node:readline");
    yield* createInterface({ input: process.stdin, crlfDelay: Infinity });
  },
  get stdinIsTerminal() {
    return process.stdin.isTTY;
  },
};

void run();

async function run(): Promise<void> {
  const exitCode = await main(process.argv.slice(2), surface);
  // A callback may have left timers running: the command ends when its output is out, not when they are.
  // One turn of the event loop later, so that a rejection it left behind is still told. Where nobody asked for a signal, nothing ran.
  if (stop) setImmediate(() => process.exit(exitCode));
  else process.exit(exitCode);
}

function listen(): AbortController {
  const controller = new AbortController();
  process.on("SIGINT", () => void (interrupted() || controller.abort()));
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => controller.abort());
  return controller;
}
