/** The REPL in a real terminal: keys go in, the screen is read back. */
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";
import { BIN } from "./places.ts";

/** Programs that give a command a terminal of its own. */
const TERMINALS = [
  { probe: ["script", "-qfec", "true", "/dev/null"], run: (command: string) => ["script", "-qfec", command, "/dev/null"] },
  {
    probe: ["python3", "-c", "import pty"],
    run: (command: string) => ["python3", "-c", "import pty, sys; sys.exit(pty.spawn(['sh', '-c', sys.argv[1]]) >> 8)", command],
  },
];
/** The one of them that this machine has. */
export const terminal = TERMINALS.find(({ probe: [program = "", ...args] }) => spawnSync(program, args, { stdio: "ignore" }).status === 0);

/** Keys as a terminal sends them. */
export const KEYS = { enter: "\r", escape: "\u001B", down: "\u001B[B", interrupt: "\u0003", end: "\u0004" };
/** How long something may take to appear. */
export const WAIT_MS = 15_000;

/** A REPL in a terminal of 80 columns. */
export class Repl {
  raw = "";
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<number | null>;
  #seen = 0;
  #changed = (): void => {};

  constructor(folder: string, { env = {}, redirect = "" }: { env?: { readonly [name: string]: string }; redirect?: string }) {
    const command = `stty cols 80 rows 40; exec ${process.execPath} ${BIN} run --model script:model.json --trust ${redirect}`;
    const [program = "", ...args] = terminal?.run(command) ?? [];
    const base = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), TMPDIR: folder, TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/sh" };
    this.#child = spawn(program, args, { cwd: folder, env: { ...base, ...env } });
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.raw += text;
      this.#changed();
    });
    this.#ended = new Promise((resolve) => void this.#child.on("close", resolve));
    onTestFinished(() => void this.#child.kill("SIGKILL"));
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Types a prompt once the REPL waits for one. */
  async prompt(text: string): Promise<void> {
    await this.ready();
    this.type(`${text}${KEYS.enter}`);
    await this.sees(text.slice(0, 4));
  }

  async ready(): Promise<void> {
    await this.sees("\n> ");
  }

  /** Waits for text behind what was seen last. */
  async sees(text: string): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const shown = stripVTControlCharacters(this.raw).replaceAll("\r", "");
      const at = shown.indexOf(text, this.#seen);
      if (at >= 0) return void (this.#seen = at + text.length);
      if (Date.now() > deadline)
        throw new Error(`${JSON.stringify(text)} did not appear behind\n${shown.slice(0, this.#seen)}\n--- but\n${shown.slice(this.#seen)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - Date.now() + 1);
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Takes the terminal away, with the program that held it. */
  hangUp(): void {
    this.#child.kill("SIGKILL");
  }

  async exit(): Promise<number | null> {
    return this.#ended;
  }
}
