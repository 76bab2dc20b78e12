/** What a process may do and sees, as Linux tells it. The daemon serves those alone who equal it: it must never lend a client a power, or take one away. */
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isProgram } from "../lib/programs.ts";

/** Lines of /proc/<pid>/status: who it is, what it may do, what its files will be like. */
const STATUS_LINES = /^(Uid|Gid|Groups|Umask|CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp):\t(.*)$/gm;

/** Links of /proc/<pid>: what it sees of files, processes, users and networks. */
const VIEWS = ["root", "ns/mnt", "ns/pid", "ns/user", "ns/net", "ns/ipc", "ns/uts"];

/** Everything about a process that a program started by it inherits, in a form that can be compared. */
export type Identity = { readonly [property: string]: string };

/** The identity of a process. Throws when it is gone, or another's. */
export function identityOf(pid: number | "self"): Identity {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const lines = [...status.matchAll(STATUS_LINES)].map(([, name = "", value = ""]) => [name, value.trim()]);
  const views = VIEWS.map((view) => [view, readlinkSync(`/proc/${pid}/${view}`)]);
  return Object.fromEntries([...lines, ...views, ["profile", securityProfile(pid)]]);
}

/** The first property in which two processes differ. */
export function differenceOf(left: Identity, right: Identity): string | undefined {
  return Object.keys(left).find((property) => left[property] !== right[property]);
}

/** The profile of a security module; most systems have none that tells one, and then none tells any. */
function securityProfile(pid: number | "self"): string {
  if (!(tellsProfiles ??= profileOf("self") !== "")) return "";
  return profileOf(pid);
}

let tellsProfiles: boolean | undefined;

function profileOf(pid: number | "self"): string {
  try {
    return readFileSync(`/proc/${pid}/attr/current`, "utf8");
  } catch {
    return "";
  }
}

/** Variables that Node itself reads when it starts: a daemon can't take them from a client. */
const NODE_VARIABLES = /^(NODE_|NODE$|SSL_CERT_|OPENSSL_|UV_|LD_|TZ$|MALLOC_|GLIBC_)/;

type Env = { readonly [name: string]: string | undefined };

/** The first variable of Node's own in which two environments differ. */
export function nodeVariableApart(left: Env, right: Env): string | undefined {
  return apartFrom(left, right) ?? apartFrom(right, left);
}

function apartFrom(left: Env, right: Env): string | undefined {
  for (const name in left) if (left[name] !== right[name] && NODE_VARIABLES.test(name)) return name;
  return undefined;
}

/** The file that `node` names in an environment; undefined where that depends on the folder, or there is none. */
export function nodeIn(env: Env): string | undefined {
  for (const folder of (env["PATH"] ?? "").split(":")) {
    if (!isAbsolute(folder)) return undefined;
    const file = join(folder, "node");
    if (isProgram(file)) return file;
  }
  return undefined;
}

/** The files of a program as they are now. */
export function programStamp(files: readonly string[]): string {
  return files.map(fileStamp).join("\n");
}

/** A file as it is now: written anew or replaced, it is another. */
export function fileStamp(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : "absent";
}
