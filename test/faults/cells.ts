/** The ways in which hooks of each type fail, as real hooks; and the pairs that can't exist, with the reason. */
import { FAILURE_KINDS, type FailureKind } from "../../src/model/failure.ts";
import type { FaultKind } from "../../src/model/outcome.ts";

/** Who runs the hook. */
export const RUNNER_NAMES = ["sh by spawn", "sh by zygote", "argv by spawn", "argv by zygote", "http", "callback", "worker", "module"] as const;
export type RunnerName = (typeof RUNNER_NAMES)[number];

/** One way to fail of one runner. */
export interface Cell {
  readonly runner: RunnerName;
  readonly failure: FailureKind;
  /** The fields of a native entry; a file below the test's folder is written as `./name`. */
  readonly hook: { readonly [key: string]: unknown };
  readonly fault: FaultKind;
}

const BIG = "x".repeat(200_000);
/** The limit of what a hook may print in these tests. */
export const LIMIT_BYTES = 4_096;

type Rows = { readonly [failure in FailureKind]?: readonly [fault: FaultKind, hook: Cell["hook"]] };

const shell = (command: string, more: object = {}): Cell["hook"] => ({ command, ...more });
const argv = (...args: readonly string[]): Cell["hook"] => ({ args });
const served = (path: string, more: object = {}): Cell["hook"] => ({ url: `@SERVER@/${path}`, ...more });
const warm = (command: string, more: object = {}): Cell["hook"] => ({ command: `read -r line; ${command}`, worker: true, ...more });
const loaded = (body: string, more: object = {}): Cell["hook"] => ({ module: "@MODULE@", body, ...more });

// prettier-ignore
const SHELL: Rows = {
  notFound:      ["exit",        shell("no-such-program")],
  notExecutable: ["exit",        shell("./plain.txt")],
  timeout:       ["timeout",     shell("sleep 60", { timeout: "150ms" })],
  signal:        ["signal",      shell("kill -KILL $$")],
  exit:          ["exit",        shell("exit 3")],
  badJson:       ["answer",      shell("echo '{\"verdict\": allow}'")],
  partialJson:   ["answer",      shell("echo '{\"verdict\": \"al'")],
  badOutput:     ["answer",      shell("echo '{\"verdict\": \"alow\"}'")],
  oversize:      ["oversized",   shell(`head -c ${LIMIT_BYTES + 1} /dev/zero`)],
  notStarted:    ["not-started", { args: ["a\0b"] }],
};

// prettier-ignore
const ARGV: Rows = {
  notFound:      ["not-started", argv("/no/such/program")],
  notExecutable: ["not-started", argv("./plain.txt")],
  tooBig:        ["not-started", argv("/bin/true", BIG)],
  timeout:       ["timeout",     { args: ["sleep", "60"], timeout: "150ms" }],
  signal:        ["signal",      argv("./dies.sh")],
  exit:          ["exit",        argv("false")],
  badJson:       ["answer",      argv("echo", "{oops}")],
  partialJson:   ["answer",      argv("echo", '{"verdict":')],
  badOutput:     ["answer",      argv("echo", '{"verdict":"alow"}')],
  oversize:      ["oversized",   argv("head", "-c", String(LIMIT_BYTES + 1), "/dev/zero")],
  notStarted:    ["not-started", argv("a\0b")],
};

// prettier-ignore
const HTTP: Rows = {
  refused:       ["not-started", { url: "http://127.0.0.1:1/" }],
  status:        ["http",        served("status")],
  timeout:       ["timeout",     served("never", { timeout: "150ms" })],
  badJson:       ["answer",      served("text")],
  partialJson:   ["answer",      served("half")],
  badOutput:     ["answer",      served("list")],
  oversize:      ["oversized",   served("large")],
};

// prettier-ignore
const CALLBACK: Rows = {
  notFound:      ["callback",    { callback: "missing" }],
  exception:     ["exception",   { callback: "throws" }],
  timeout:       ["timeout",     { callback: "never", timeout: "150ms" }],
  badOutput:     ["answer",      { callback: "text" }],
};

// prettier-ignore
const WORKER: Rows = {
  notFound:      ["exit",        { command: "no-such-program", worker: true }],
  notExecutable: ["exit",        { command: "./plain.txt", worker: true }],
  tooBig:        ["not-started", { args: ["/bin/true", BIG], worker: true }],
  notStarted:    ["not-started", { args: ["a\0b"], worker: true }],
  timeout:       ["timeout",     warm("sleep 60", { timeout: "150ms" })],
  signal:        ["signal",      warm("kill -KILL $$")],
  exit:          ["exit",        warm("exit 3")],
  exception:     ["exception",   warm("echo '{\"id\":1,\"error\":\"oops\"}'; sleep 60")],
  badOutput:     ["answer",      warm("echo '{\"id\":1,\"verdict\":\"alow\"}'; sleep 60")],
  oversize:      ["oversized",   warm(`head -c ${LIMIT_BYTES + 1} /dev/zero; sleep 60`)],
};

// prettier-ignore
const MODULE: Rows = {
  timeout:       ["timeout",     loaded("for (;;);", { timeout: "900ms" })],
  signal:        ["signal",      loaded("process.kill(process.pid, 'SIGKILL'); return new Promise(() => {});")],
  exit:          ["exit",        loaded("process.exit(3);")],
  exception:     ["exception",   loaded("throw new Error('oops');")],
  badOutput:     ["answer",      loaded("return { verdict: 'alow' };")],
  oversize:      ["oversized",   loaded(`return { reason: 'x'.repeat(${LIMIT_BYTES}) };`)],
};

const ROWS: { readonly [runner in RunnerName]: Rows } = {
  "sh by spawn": SHELL,
  "sh by zygote": SHELL,
  "argv by spawn": ARGV,
  "argv by zygote": ARGV,
  http: HTTP,
  callback: CALLBACK,
  worker: WORKER,
  module: MODULE,
};

/** All that can happen. */
export const CELLS: readonly Cell[] = RUNNER_NAMES.flatMap((runner) =>
  FAILURE_KINDS.flatMap((failure): Cell[] => {
    const [fault, hook] = ROWS[runner][failure] ?? [];
    return fault && hook ? [{ runner, failure, hook, fault }] : [];
  }),
);

type Reasons = { readonly [failure in FailureKind]?: string };

const PROCESS: Reasons = {
  refused: "there is no server",
  status: "there is no server",
  exception: "a process ends with a code or a signal; it throws nothing that we see",
};
const NO_PROCESS: Reasons = {
  notExecutable: "nothing is executed",
  tooBig: "no arguments are handed to the system",
  signal: "there is no process to signal",
  exit: "there is no process that exits",
};

/** What can't happen, and why. */
export const IMPOSSIBLE: { readonly [runner in RunnerName]: Reasons } = {
  "sh by spawn": { ...PROCESS, tooBig: "the command is one short argument, and large variables are put into files" },
  "sh by zygote": { ...PROCESS, tooBig: "the command is one short argument, and large variables are put into files" },
  "argv by spawn": PROCESS,
  "argv by zygote": PROCESS,
  http: {
    ...NO_PROCESS,
    notFound: "a server that is not there is refused",
    notStarted: "it is refused",
    exception: "a server that fails answers with a status",
  },
  callback: {
    ...NO_PROCESS,
    notStarted: "a function is called or does not exist",
    refused: "there is no server",
    status: "there is no server",
    badJson: "a function returns values",
    partialJson: "a function returns values",
    oversize: "a value of this process is there already",
  },
  worker: {
    refused: "there is no server",
    status: "there is no server",
    badJson: "a line that is no JSON is noise, and the wait goes on: the end is a timeout",
    partialJson: "half a line is no line: the end is a timeout, or that of the process",
  },
  module: {
    notFound: "the host that loads it starts; a module that is missing is its exit",
    notExecutable: "Node reads it",
    tooBig: "its arguments are two paths",
    notStarted: "Node itself would have to be missing",
    refused: "there is no server",
    status: "there is no server",
    badJson: "the host writes the JSON",
    partialJson: "the host writes whole lines",
  },
};
