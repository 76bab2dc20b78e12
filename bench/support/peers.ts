/** Peers: packages of others, in a folder of their own. */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../src/lib/json.ts";
import { PEERS } from "../places.ts";
import { Unavailable } from "../row.ts";

/** Installs the peers if that was not done since their lock file last changed. A text says why it could not. */
export function installPeers(): string | null {
  if (isInstalled()) return null;
  process.stderr.write("bench: installing the peers into bench/peers (about 400 MB; --no-peers leaves them out)…\n");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: PEERS,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  return status === 0 ? null : "the peers could not be installed";
}

function isInstalled(): boolean {
  const marker = join(PEERS, "node_modules/.package-lock.json");
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(PEERS, "package-lock.json")).mtimeMs;
}

/** What a peer's file makes of a task: a function that does it once. */
export type PeerRun = () => unknown;

/** Has a peer made ready: `make` is a function that its file exports. */
export async function openPeer(file: string, make: string, task: object = {}): Promise<PeerRun> {
  if (!isInstalled()) throw new Unavailable("not installed");
  const module: unknown = await import(join(PEERS, file));
  const maker = isObject(module) ? module[make] : undefined;
  if (!isMaker(maker)) throw new Error(`bench/peers/${file} exports no function ${make}`);
  return maker(task);
}

function isMaker(value: unknown): value is (task: object) => Promise<PeerRun> {
  return typeof value === "function";
}
