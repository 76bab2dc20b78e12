/** The life of a daemon: it makes a folder of its own, is published by its name in one file, beats while it lives, and leaves when it is not needed. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { sleep } from "../lib/time.ts";
import { identityOf, programStamp } from "./identity.ts";
import { INFO, processStart, writeBeat, type DaemonInfo } from "./info.ts";
import { CURRENT, currentFolder, faultOf, openPlace } from "./place.ts";
import { Server, type ServerOptions } from "./server.ts";
import { ANNOUNCEMENTS, hasReader, Slots } from "./slots.ts";

/** How a daemon is run. */
export interface DaemonOptions extends Pick<ServerOptions, "env" | "program" | "run"> {
  /** The real path of `bin/snaphook-hook`. */
  readonly script: string;
  readonly version: string;
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** Called when clients can come. */
  readonly onReady: (info: DaemonInfo) => void;
}

const BEAT_MS = 1_000;
/** How long clients that are being served may take when the daemon leaves. */
const FAREWELL_MS = 10_000;
/** A daemon that has grown beyond this leaves when nobody is served. */
const MEMORY_LIMIT_BYTES = 512 * 1_048_576;
/** A folder without a daemon is removed at this age: a younger one may be that of a daemon just starting. */
const LEFTOVER_MS = 60_000;

/** Runs a daemon to its end, and says why it ended. */
export async function runDaemon(options: DaemonOptions): Promise<string> {
  const place = openPlace(options.env);
  removeLeftovers(place);
  const folder = mkdtempSync(join(place, "d-"));
  const env = { ...options.env };
  const path = { PATH: env["PATH"] ?? "/usr/bin:/bin" };
  const slots = await Slots.make(folder, path);
  const info = {
    pid: process.pid,
    startedAt: processStart(process.pid),
    version: options.version,
    node: process.version,
    script: options.script,
    program: programStamp(options.program),
  };
  const door = { identity: identityOf("self"), script: options.script };
  const server: Server = new Server({ ...options, env, place, folder, slots, door, onTally: () => beat() });
  const beat = (): void => writeBeat(folder, server.tally);
  let watchdog: ChildProcess | undefined;
  try {
    writeFileSync(join(folder, INFO), JSON.stringify(info), { mode: 0o600 });
    beat();
    watchdog = spawn("/bin/sh", ["-c", WATCHDOG, "snaphook-watchdog", folder], { stdio: "ignore", cwd: folder, env: path });
    publish(place, folder);
    options.onReady(info);
    for (;;) {
      await sleep(BEAT_MS);
      const reason = reasonToLeave(server, { place, folder, options });
      if (reason !== undefined) return reason;
      beat();
      slots.rearm();
      slots.sweep(Date.now());
    }
  } finally {
    withdraw(place, folder);
    const last = performance.now() + FAREWELL_MS;
    while (server.tally.running > 0 && performance.now() < last) await sleep(LOOK_MS);
    server.close();
    watchdog?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const LOOK_MS = 50;

function reasonToLeave(server: Server, { place, folder, options }: { place: string; folder: string; options: DaemonOptions }): string | undefined {
  if (options.signal.aborted) return "it was told to";
  const fault = faultOf(place) ?? faultOf(folder);
  if (fault !== undefined) return fault;
  if (!server.isCurrent) return "the program has changed";
  if (currentFolder(place) !== folder) return "another daemon took over";
  if (server.idleMs > options.idleMs) return "nobody came";
  if (server.tally.running === 0 && process.memoryUsage.rss() > MEMORY_LIMIT_BYTES) return "it had grown too large";
  return undefined;
}

/** The name is replaced in one step: there is one daemon that answers, whoever else was started. */
function publish(place: string, folder: string): void {
  const draft = join(place, `next-${process.pid}`);
  writeFileSync(draft, `${basename(folder)}\n`, { mode: 0o600 });
  renameSync(draft, join(place, CURRENT));
  rmSync(join(place, STARTING), { force: true });
}

/** By this file `bin/snaphook-hook` says that it is starting a daemon. */
const STARTING = "starting";

function withdraw(place: string, folder: string): void {
  if (currentFolder(place) === folder) rmSync(join(place, CURRENT), { force: true });
}

/** Folders of daemons that could not clean up after themselves. */
function removeLeftovers(place: string): void {
  for (const name of readdirSync(place).filter((each) => each.startsWith("d-"))) {
    const folder = join(place, name);
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.ctimeMs > LEFTOVER_MS && !hasReader(join(folder, ANNOUNCEMENTS))) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Ends a daemon that does not beat: its clients can't look at a clock, but they see its death. $1 is the daemon's folder.
 * Whoever is no longer the parent is not killed: it is not the daemon any more.
 */
const WATCHDOG = `
cd "$1" || exit
misses=0
: >seen
while sleep 2; do
  read -r _ _ _ parent _ </proc/self/stat
  [ "$parent" = "$PPID" ] || exit
  if [ beat -nt seen ]; then misses=0; else misses=$((misses + 1)); fi
  : >seen
  [ "$misses" -lt 3 ] || kill -9 "$PPID"
done`;
