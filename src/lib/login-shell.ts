/** Login shells, warm: what a profile does to the environment is looked up once, and given to plain shells while nothing has changed. */
import { statSync, type Stats } from "node:fs";
import { Lifetime } from "./lifetime.ts";
import type { ProcessEnd, ProcessRequest } from "./process.ts";

type Env = { readonly [name: string]: string };
type Run = (request: ProcessRequest) => Promise<ProcessEnd>;

/** What a profile does, as far as a plain shell can be given it. */
interface Effect {
  /** The environment with which it was looked up. */
  readonly env: Env;
  readonly set: Env;
  readonly unset: readonly string[];
  /** All that the profile's files say and all that they ran: a variable whose name is in here may matter to them. */
  readonly text: string;
  /** How the files looked that the profile named. */
  readonly stamps: ReadonlyMap<string, string>;
  readonly takenMs: number;
}

/** One folder's login shell: null while a profile does more than a plain shell can be given. */
interface Known {
  effect: Effect | null;
  looking: boolean;
  seen: number;
  checkedMs: number;
}

/** Programs that a profile runs may answer otherwise tomorrow: it is looked up again after this, beside the hooks. */
const OLD_AFTER_MS = 60_000;
/** A profile that names more files than this is run each time. */
const MOST_FILES = 100;
/** Folders whose profile is remembered. */
const MOST_KNOWN = 16;
const LOOK_TIMEOUT_MS = 10_000;

/** Runs login shells' commands in plain shells where that gives the same results. */
export class LoginShells {
  readonly #run: Run;
  readonly #worthAfter: number;
  readonly #known = new Map<string, Known>();
  readonly #lifetime = new Lifetime();

  /** `worthAfter`: how many commands of one folder come before its profile is looked up. */
  constructor(run: Run, worthAfter: number) {
    this.#run = run;
    this.#worthAfter = worthAfter;
  }

  /** The request to run instead: a plain shell with what the profile would have done, or the request as it is. */
  warm(request: ProcessRequest): ProcessRequest {
    const [flag, command] = request.args;
    if (flag !== "-lc" || command === undefined || TELLS_LOGIN.test(command)) return request;
    const known = this.#knownFor(request);
    known.seen++;
    const { effect } = known;
    if (effect === null || performance.now() - effect.takenMs > OLD_AFTER_MS) void this.#look(known, request);
    if (effect === null) return request;
    if ([...effect.stamps].some(([path, stamp]) => stampOf(path) !== stamp)) {
      known.effect = null;
      void this.#look(known, request);
      return request;
    }
    if (matters(request.env, effect)) return request;
    return { ...request, args: ["-c", command], env: withEffect(request.env, effect) };
  }

  /** Ends what is being looked up. */
  close(): void {
    this.#lifetime.end();
  }

  #knownFor({ file, cwd, env }: ProcessRequest): Known {
    const key = [file, cwd, env["HOME"] ?? ""].join("\0");
    const known = this.#known.get(key) ?? { effect: null, looking: false, seen: 0, checkedMs: -OLD_AFTER_MS };
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
    return known;
  }

  async #look(known: Known, request: ProcessRequest): Promise<void> {
    const now = performance.now();
    const again = known.effect === null && now - known.checkedMs < RETRY_AFTER_MS;
    if (known.looking || again || known.seen < this.#worthAfter || this.#lifetime.signal.aborted) return;
    known.looking = true;
    known.checkedMs = now;
    known.effect = await lookUp(request, async (args, env) =>
      this.#run({ ...request, args, env, stdin: "", timeoutMs: LOOK_TIMEOUT_MS, signal: this.#lifetime.signal, limitBytes: MOST_TEXT_BYTES }),
    );
    known.looking = false;
  }
}

/** After a profile turned out to do too much, or was changed, it is not looked up at every command. */
const RETRY_AFTER_MS = 1_000;
const MOST_TEXT_BYTES = 4_194_304;

/** Commands that ask whether their shell is a login shell. */
const TELLS_LOGIN = /\$\{?-|login/;
/** What a profile may do that no comparison of states would show: functions, and commands that read the whole environment or stdin. */
const DEFINES_FUNCTION = /[\w-]\s*\(\s*\)|\bfunction\b/;
const DOES_TOO_MUCH = /^\++ (?:eval|exec|read|env|printenv|export -p|alias|unalias)\b/m;
/** Listing the environment, as it is written: in a pipeline the lines of what was run may be mixed up. */
const SAYS_TOO_MUCH = /(?:^|[;|&(`]\s*|\$\(\s*)(?:env|printenv|export -p)(?=[\s;|&)`]|$)/m;

const MARK = "snaphook: the state of this shell";
/** Everything that a shell can list about itself. Variables come last, one by one. */
const DUMP = `printf '%s\\n' '${MARK}'; set; set -o; alias; umask; trap; pwd; ulimit -a; printf '%s\\n' '${MARK}'; exec /usr/bin/env -0`;

/** Runs the profile and compares. Null: a plain shell can't be given the same. */
async function lookUp(request: ProcessRequest, run: (args: readonly string[], env: Env) => Promise<ProcessEnd>): Promise<Effect | null> {
  const takenMs = performance.now();
  const traced = await run(["-l", "-x", "-v", "-c", ":"], request.env);
  if (traced.kind !== "exited" || traced.code !== 0 || traced.stderrOver) return null;
  const text = traced.stderr;
  if (DEFINES_FUNCTION.test(text) || DOES_TOO_MUCH.test(text) || SAYS_TOO_MUCH.test(text)) return null;
  const files = filesNamed(text, request.env["HOME"]);
  if (files.length > MOST_FILES) return null;
  const stamps = new Map(files.map((path) => [path, stampOf(path)]));
  const [login, plain] = [stateOf(await run(["-lc", DUMP], request.env)), stateOf(await run(["-c", DUMP], request.env))];
  if (!login || !plain || /^BASH_VERSION=/m.test(login.listed)) return null;
  const set = Object.fromEntries(Object.entries(login.env).filter(([name, value]) => plain.env[name] !== value));
  const unset = Object.keys(plain.env).filter((name) => !Object.hasOwn(login.env, name));
  const effect: Effect = { env: request.env, set, unset, text, stamps, takenMs };
  const warmed = stateOf(await run(["-c", DUMP], withEffect(request.env, effect)));
  return warmed && same(warmed, login) ? effect : null;
}

interface ShellState {
  readonly listed: string;
  readonly env: Env;
}

/** What the dump printed; null when anything else was printed, before it or beside it. */
function stateOf(end: ProcessEnd): ShellState | null {
  if (end.kind !== "exited" || end.code !== 0 || end.stderr !== "" || end.stdoutOver || end.stdout.includes("\uFFFD")) return null;
  const [before, listed, env, more] = end.stdout.split(`${MARK}\n`);
  if (before !== "" || listed === undefined || env === undefined || more !== undefined) return null;
  const entries = env.split("\0").filter(Boolean);
  return {
    listed: listed.replaceAll(/^(?:PPID|LINENO|_)=.*\n/gm, ""),
    env: Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)])),
  };
}

function same(one: ShellState, other: ShellState): boolean {
  const names = Object.keys(one.env);
  const alike = names.length === Object.keys(other.env).length && names.every((name) => one.env[name] === other.env[name]);
  return alike && one.listed === other.listed;
}

/** Whether a variable that is not as it was could change what the profile does. */
function matters(env: Env, effect: Effect): boolean {
  const names = new Set([...Object.keys(env), ...Object.keys(effect.env)]);
  for (const name of names) if (env[name] !== effect.env[name] && (ALWAYS_MATTER.has(name) || effect.text.includes(name))) return true;
  return false;
}

/** Read by the shell itself, whatever a profile says; and what a profile's programs are found and speak by. */
const ALWAYS_MATTER: ReadonlySet<string> = new Set([
  "HOME",
  "ENV",
  "PATH",
  "PWD",
  "OLDPWD",
  "IFS",
  "LANG",
  "LC_ALL",
  "TERM",
  "USER",
  "LOGNAME",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
]);

function withEffect(env: Env, { set, unset }: Pick<Effect, "set" | "unset">): Env {
  const changed = { ...env, ...set };
  return unset.length === 0 ? changed : Object.fromEntries(Object.entries(changed).filter(([name]) => !unset.includes(name)));
}

/** Absolute paths in what was run: scripts that were read, files that were looked for. What is only assigned is not looked at. */
function filesNamed(text: string, home: string | undefined): readonly string[] {
  const ran = text.split("\n").filter((line) => /^\++ (?!export |\w+=)/.test(line));
  const paths = ran.flatMap((line) => [...line.matchAll(/(?:^|[\s"'=:])(\/[^\s"':;]*)/g)].map(([, path = ""]) => path));
  return [...new Set(["/etc/profile", SCRIPTS_FOLDER, ...(home === undefined ? [] : [`${home}/.profile`]), ...paths])];
}

/** All scripts in here are read: a new one counts. */
const SCRIPTS_FOLDER = "/etc/profile.d";

/** How a path looks. The times of other folders say nothing: any file that comes or goes changes them. */
function stampOf(path: string): string {
  let stat: Stats | undefined;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch {
    return "hidden";
  }
  if (!stat) return "absent";
  const place = `${stat.ino} ${stat.mode}`;
  return stat.isDirectory() && path !== SCRIPTS_FOLDER ? place : `${place} ${stat.size} ${stat.mtimeMs}`;
}
