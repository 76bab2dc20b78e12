/** Programs in a sandbox: bubblewrap around them. One row a level. */
import { execFile } from "node:child_process";
import { isAbsolute } from "node:path";
import { isInside } from "./inside.ts";
import { findProgram } from "./programs.ts";
import type { Confinement } from "./sandbox-level.ts";

/** What a program in a sandbox may see besides the system. */
export interface SandboxPlace {
  /** Where it is started. */
  readonly cwd: string;
  /** Files and folders that it may read. */
  readonly readable: readonly string[];
  readonly home: string;
}

/** Nothing can be written but a /tmp of its own; services of this machine and the network are within reach. */
const READONLY = ["--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/tmp"];

/** Folders that programs are made of, and what they need of /etc to run at all. */
const SYSTEM = "/usr /bin /sbin /lib /lib32 /lib64 /libx32".split(" ");
const SYSTEM_FILES =
  "alternatives bash.bashrc group hosts inputrc ld.so.cache ld.so.conf ld.so.conf.d localtime nsswitch.conf os-release passwd profile profile.d ssl/certs timezone".split(
    " ",
  );

/** No network, no processes of others, an empty home, and of the file system what is named. */
const STRICT = [
  ..."--unshare-pid --unshare-net --unshare-ipc --unshare-uts --die-with-parent".split(" "),
  ...[...SYSTEM, ...SYSTEM_FILES.map((name) => `/etc/${name}`)].flatMap((path) => ["--ro-bind-try", path, path]),
  ..."--dev /dev --proc /proc --tmpfs /tmp".split(" "),
];

/**
 * What bubblewrap is told for each level. A program leads a session of its own before bubblewrap starts, so `--new-session` would add nothing but
 * a second group, which a signal to the first does not reach.
 */
const LEVELS: { readonly [level in Confinement]: (place: SandboxPlace) => readonly string[] } = {
  readonly: ({ cwd, readable }) => [...READONLY, ...shown([...readable, cwd])],
  strict: ({ readable, home }) => [...STRICT, ...(isAbsolute(home) ? ["--dir", home] : []), ...shown(readable), "--remount-ro", "/"],
};

/** As root bubblewrap keeps all capabilities unless told otherwise, and with them one could mount everything anew. */
const ALWAYS = ["--cap-drop", "ALL", "--setenv", "TMPDIR", "/tmp"];

function shown(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].flatMap((path) => ["--ro-bind", path, path]);
}

/** The words that start a program at a level: bubblewrap's, those that put files with known bytes into it, then its own. */
export function sandboxed(
  words: readonly string[],
  {
    level,
    program,
    place,
    files = [],
  }: { readonly level: Confinement; readonly program: string; readonly place: SandboxPlace; readonly files?: readonly string[] },
): readonly string[] {
  return [program, ...LEVELS[level](place), ...files, ...ALWAYS, "--chdir", place.cwd, "--", ...words];
}

/** Why a place can't be held at a level; null when it can. */
export function placeRefusal(level: Confinement, { home, readable }: SandboxPlace): string | null {
  if (level !== "strict") return null;
  if (readable.includes("/"))
    return "it shows the project and little else, and here the project is the whole file system: work in a folder of its own, or use readonly";
  const holding = isAbsolute(home) ? readable.find((path) => isInside(home, path)) : undefined;
  return holding === undefined ? null : `it hides the home folder ${home}, which ${holding} holds: work in a folder below it, or use readonly`;
}

/** Whether a path is seen at a level although nobody named it: what is written there outside is seen inside. */
export function isShown(level: Confinement, path: string): boolean {
  return level === "readonly" ? !isInside(path, "/tmp") : isSystemPath(path);
}

/** Whether a program at this path is there in every sandbox. */
export function isSystemPath(path: string): boolean {
  return SYSTEM.some((folder) => isInside(path, folder));
}

/** Where bubblewrap is, by the PATH given; undefined where it is not installed. */
export function findSandbox(path: string | undefined): string | undefined {
  return findProgram("bwrap", path);
}

const PROBE_LIMIT_MS = 10_000;
const probed = new Map<string, Promise<string | null>>();

/** Why a level can't be had on this machine; null when it can. Tried once in the life of this process. */
export async function sandboxProblem(level: Confinement, path: string | undefined): Promise<string | null> {
  const program = findSandbox(path);
  if (program === undefined) return "bubblewrap (bwrap) is not in PATH: install it, as with `apt install bubblewrap`";
  const key = `${level} ${program}`;
  const known = probed.get(key) ?? tried(level, program);
  probed.set(key, known);
  return known;
}

async function tried(level: Confinement, program: string): Promise<string | null> {
  const words = sandboxed(["/bin/sh", "-c", ":"], { level, program, place: { cwd: "/", readable: [], home: "" } });
  const { failed, stderr } = await ask(words);
  if (!failed) return null;
  return `${stderr.trim().split("\n").at(-1) || `${program} did not run`}: allow user namespaces (kernel.unprivileged_userns_clone, user.max_user_namespaces, AppArmor's userns)`;
}

/** The version of bubblewrap, as it says it itself. */
export async function sandboxVersion(program: string): Promise<string> {
  return (await ask([program, "--version"])).stdout.trim();
}

async function ask([file = "", ...args]: readonly string[]): Promise<{ readonly failed: boolean; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: PROBE_LIMIT_MS, encoding: "utf8", env: {} }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr }),
    );
  });
}
