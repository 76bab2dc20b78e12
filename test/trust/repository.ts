/** A repository and its user, for tests of trust: the command line in this process, with a home of its own. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { decisionOf, type Decision } from "./decision.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { main } from "../../src/cli/main.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

// Commands are loaded when they are used; here before the clock of the first test runs.
await Promise.all(["fire", "list", "run", "trust", "why", "check", "lint"].map(async (name) => COMMANDS[name]?.load()));

export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface Repository {
  readonly root: string;
  readonly home: string;
  /** Made by whatever runs that should not. */
  readonly canary: string;
  readonly ran: () => boolean;
  put(path: string, text: string | object, mode?: number): void;
  get(path: string): string;
  run(
    args: readonly string[],
    options?: { readonly stdin?: unknown; readonly cwd?: string; readonly env?: { readonly [name: string]: string } },
  ): Promise<Ended>;
  /** Fires a tool call and reads the decision. */
  fire(command?: string, args?: readonly string[]): Promise<Decision & Ended>;
  trust(): Promise<Ended>;
}

/** Makes a repository with these files beside an empty home. */
export function repository(files: { readonly [path: string]: string | object } = {}): Repository {
  const base = tempFolder();
  const [root, home, canary] = [join(base, "repo"), join(base, "home"), join(base, "canary")];
  mkdirSync(root);
  mkdirSync(home);
  writeFiles(root, files);
  const run: Repository["run"] = async (args, { stdin = "", cwd = root, env = {} } = {}) => {
    let out = "";
    let err = "";
    const exit = await main(args, {
      env: { PATH: process.env["PATH"], HOME: home, TMPDIR: base, XDG_CANARY: canary, ...env },
      cwd,
      stdin: async () => (typeof stdin === "string" ? stdin : JSON.stringify(stdin)),
      stdout: (text) => void (out += text),
      stderr: (text) => void (err += text),
      terminal: { isTerminal: false, columns: 100, colour: false },
      signal: new AbortController().signal,
      onInterrupt: () => {},
      lines: async function* () {},
      stdinIsTerminal: false,
    });
    return { exit, out, err };
  };
  return {
    root,
    home,
    canary,
    run,
    ran: () => existsSync(canary),
    put: (path, content, mode) => {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
      chmodSync(file, mode ?? (typeof content === "string" && content.startsWith("#!") ? 0o755 : 0o644));
    },
    get: (path) => readFileSync(join(root, path), "utf8"),
    fire: async (command = "ls", args = []) => {
      const ended = await run(["fire", "tool.before", ...args], { stdin: { tool: { name: "Bash", input: { command } } } });
      return { ...ended, ...decisionOf(ended.out) };
    },
    trust: async () => run(["trust", "--yes"]),
  };
}
