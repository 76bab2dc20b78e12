import { spawn } from "node:child_process";
import { closeSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { runDaemon } from "../daemon/daemon.ts";
import { findDaemon, tallyOf, type DaemonInfo } from "../daemon/info.ts";
import { programStamp } from "../daemon/identity.ts";
import { openPlace, placeOf } from "../daemon/place.ts";
import type { Call } from "../daemon/server.ts";
import { lookup } from "../lib/json.ts";
import { nextRound, sleep } from "../lib/time.ts";
import { SnaphookError } from "../model/errors.ts";
import type { Command, Surface, Words } from "./command.ts";
import { runCommandLine } from "./main.ts";
import { packageRoot } from "./tour/package-root.ts";
import { VERSION } from "./version.ts";

const IDLE_MINUTES = 30;
const LOOK_MS = 20;
/** How long a daemon may take to leave: it lets those it serves finish. */
const LEAVE_MS = 15_000;

/** `snaphook daemon start|stop|status|run`. */
export const daemonCommand: Command = {
  summary: "keep a process that answers hook calls at once",
  usage: "daemon start|stop|status|run [--idle MINUTES]",
  options: { idle: { type: "string", value: "MINUTES", help: `leave when nobody has called for so long (default: ${IDLE_MINUTES})` } },
  notes: [
    "`snaphook-hook fire …` does what `snaphook fire …` does, and asks the daemon if one runs. It is a shell script: no Node is started then.",
    "The daemon serves its own user, on this machine, with this version of Snaphook and of Node; whoever else calls gets the same answer from Node.",
    "`run` is the daemon itself, in the foreground. Linux only: elsewhere snaphook-hook always starts Node.",
  ],
  run: async (words, surface) => {
    const [verb = "", ...more] = words.positionals;
    const action = more.length === 0 ? lookup(ACTIONS, verb) : undefined;
    if (!action) throw new SnaphookError("SNAP_USAGE", { message: "daemon takes one of start, stop, status and run" });
    if (process.platform !== "linux") throw new SnaphookError("SNAP_DAEMON", { message: "the daemon needs Linux; snaphook-hook works without it" });
    return action(words, surface);
  },
};

const ACTIONS: { readonly [verb: string]: Command["run"] } = { start, stop, status, run };

async function start(words: Words, surface: Surface): Promise<number> {
  const before = findDaemon(placeOf(surface.env));
  if (before?.program === programStamp(programFiles()))
    return tell(words, surface, { text: `already running: process ${before.pid}`, json: { started: false, ...before } });
  idleMinutes(words);
  const log = join(openPlace(surface.env), "log");
  const stderr = openSync(log, "w", 0o600);
  const idle = words.values["idle"]?.at(-1);
  const args = [join(packageRoot(import.meta.url), "bin/snaphook.js"), "daemon", "run", "--json", ...(idle === undefined ? [] : ["--idle", idle])];
  const child = spawn(process.execPath, args, { cwd: "/", env: surface.env, detached: true, stdio: ["ignore", "pipe", stderr] });
  closeSync(stderr);
  const said = await new Promise<string>((resolve) => {
    let text = "";
    child.on("error", (error) => resolve(error.message));
    child.on("close", () => resolve(text));
    child.stdout?.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      if (text.endsWith("\n")) resolve(text);
    });
  });
  child.unref();
  child.stdout?.destroy();
  const now = findDaemon(placeOf(surface.env));
  if (now) return tell(words, surface, { text: `started: process ${now.pid}`, json: { started: true, ...now } });
  throw new SnaphookError("SNAP_DAEMON", { message: `the daemon did not start${said === "" ? "" : `: ${said.trim()}`}; ${log} may say why` });
}

async function stop(words: Words, surface: Surface): Promise<number> {
  const before = findDaemon(placeOf(surface.env));
  if (!before) return tell(words, surface, { text: "no daemon is running", json: { stopped: false } });
  process.kill(before.pid, "SIGTERM");
  const last = performance.now() + LEAVE_MS;
  while (findDaemon(placeOf(surface.env))?.pid === before.pid) {
    if (performance.now() > last) throw new SnaphookError("SNAP_DAEMON", { message: `process ${before.pid} does not end` });
    await sleep(LOOK_MS);
  }
  return tell(words, surface, { text: `stopped: process ${before.pid}`, json: { stopped: true, pid: before.pid } });
}

async function status(words: Words, surface: Surface): Promise<number> {
  const place = placeOf(surface.env);
  const info = findDaemon(place);
  if (!info || place === undefined) {
    await tell(words, surface, { text: "no daemon is running", json: { running: false, place: place ?? null } });
    return 1;
  }
  const tally = tallyOf(place);
  const lines = [`running: process ${info.pid}, Snaphook ${info.version}, Node ${info.node}`, `serves ${info.script}`, ...tallyLines(tally)];
  return tell(words, surface, { text: lines.join("\n"), json: { running: true, place, ...info, tally } });
}

function tallyLines(tally: unknown): string[] {
  return Object.entries(tally ?? {}).flatMap(([name, value]) =>
    typeof value === "number" ? [`${name}: ${value}`] : Object.entries(value ?? {}).map(([reason, times]) => `sent to Node, ${String(times)} ×: ${reason}`),
  );
}

async function run(words: Words, surface: Surface): Promise<number> {
  const crash = new AbortController();
  process.on("uncaughtException", () => crash.abort());
  const reason = await runDaemon({
    env: surface.env,
    script: clientScript(),
    version: VERSION,
    program: programFiles(),
    idleMs: idleMinutes(words) * 60_000,
    signal: AbortSignal.any([surface.signal, crash.signal]),
    run: async (call) => runCommandLine(call.args, surfaceOf(call)),
    onReady: (info: DaemonInfo) => surface.stdout(words.flags["json"] ? `${JSON.stringify(info)}\n` : `running: process ${info.pid}\n`),
  });
  await nextRound();
  if (!words.flags["json"]) surface.stdout(`ended: ${reason}\n`);
  return crash.signal.aborted ? 1 : 0;
}

/** A command line of a client sees the client's surroundings, and no terminal. */
function surfaceOf(call: Call): Surface {
  return {
    ...call,
    terminal: { isTerminal: false, columns: 80, colour: false },
    onInterrupt: () => {},
    lines: async function* () {},
    stdinIsTerminal: false,
  };
}

function idleMinutes(words: Words): number {
  const text = words.values["idle"]?.at(-1) ?? String(IDLE_MINUTES);
  const minutes = Number(text);
  if (!(minutes > 0)) throw new SnaphookError("SNAP_USAGE", { message: `--idle takes a number of minutes, not ${text}` });
  return minutes;
}

function clientScript(): string {
  return realpathSync(join(packageRoot(import.meta.url), "bin/snaphook-hook"));
}

/** Node, and the files that an installation of another version could not leave as they are. */
function programFiles(): readonly string[] {
  const root = packageRoot(import.meta.url);
  return [process.execPath, ...["package.json", "bin/snaphook.js", "bin/snaphook-hook", "dist/cli/snaphook.js"].map((file) => join(root, file))];
}

async function tell(words: Words, surface: Surface, { text, json }: { text: string; json: object }): Promise<number> {
  surface.stdout(words.flags["json"] ? `${JSON.stringify(json)}\n` : `${text}\n`);
  return 0;
}
