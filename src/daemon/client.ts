/** A client: the shell that runs `bin/snaphook-hook`. It says its process id and nothing else; the rest is read where nobody but its user can write. */
import { constants, fstatSync, openSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { closeQuietly } from "../lib/close-quietly.ts";
import { processStart } from "./info.ts";
import { differenceOf, identityOf, type Identity } from "./identity.ts";

/** Descriptors that `bin/snaphook-hook` opens. */
const REPLY = 3;
const SLOT = 5;

/** What a client asks, as the kernel tells it. */
export interface Client {
  readonly pid: number;
  /** Tells this process from a later one of the same id. */
  readonly startedAt: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
}

/** A reason not to serve a client. It goes to Node then, which is always right. */
export class Unserved extends Error {}

/** What must hold for a client to be served. */
export interface Doorkeeper {
  readonly identity: Identity;
  /** The real path of the client script of this package. */
  readonly script: string;
}

/** The client that announced itself. Throws when it is not who it says it is, or not like the daemon. */
export function meetClient(announced: { readonly pid: number; readonly argc: number; readonly slotPath: string }, door: Doorkeeper): Client {
  const { pid, argc, slotPath } = announced;
  // Another process may have the number, in another namespace or by now; only the client holds its slot.
  if (readlinkSync(`/proc/${pid}/fd/${SLOT}`) !== slotPath) throw new Unserved("the client does not hold its slot");
  const difference = differenceOf(door.identity, identityOf(pid));
  if (difference !== undefined) throw new Unserved(`the client's ${difference} is not the daemon's`);
  const cwd = readlinkSync(`/proc/${pid}/cwd`);
  if (cwd.endsWith(" (deleted)")) throw new Unserved("the client's folder is gone");
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  const script = words[words.length - argc - 1];
  if (script === undefined || realpathSync(resolve(cwd, script)) !== door.script) throw new Unserved("the client comes from another installation");
  return { pid, startedAt: processStart(pid), args: words.slice(words.length - argc), env: environmentOf(pid), cwd };
}

/** Opens the pipe on which the client waits. Whatever goes wrong, it is let go of: a client whose pipe stays open waits for ever. */
export function openReply(pid: number): number {
  const descriptor = openSync(`/proc/${pid}/fd/${REPLY}`, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    if (fstatSync(descriptor).isFIFO()) return descriptor;
  } catch (error) {
    closeQuietly(descriptor);
    throw error;
  }
  closeQuietly(descriptor);
  throw new Unserved("the client's reply is no pipe");
}

/** Whether a client is still there. */
export function isThere({ pid, startedAt }: Pick<Client, "pid" | "startedAt">): boolean {
  return processStart(pid) === startedAt;
}

/** The environment as it was given to the client; the first of two equal names counts, as it does for getenv. */
function environmentOf(pid: number): { [name: string]: string } {
  const env: { [name: string]: string } = {};
  for (const entry of readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")) {
    const equals = entry.indexOf("=");
    const name = entry.slice(0, equals);
    if (equals > 0 && !Object.hasOwn(env, name)) env[name] = entry.slice(equals + 1);
  }
  return env;
}
