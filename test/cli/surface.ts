/** The command line in this process, with what it printed. */
import { join } from "node:path";
import { main } from "../../src/cli/main.ts";

/** What a command line left behind. */
export interface Printed {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in a folder whose home is `home` inside it. */
export async function run(
  args: readonly string[],
  {
    cwd,
    columns = 80,
    colour = false,
    env = {},
    stdin = "",
  }: { cwd: string; columns?: number; colour?: boolean; env?: { [name: string]: string }; stdin?: string },
): Promise<Printed> {
  let out = "";
  let err = "";
  const exit = await main(args, {
    env: { PATH: "/usr/bin:/bin", HOME: join(cwd, "home"), ...env },
    cwd,
    stdin: async () => stdin,
    stdout: (text) => void (out += text),
    stderr: (text) => void (err += text),
    terminal: { isTerminal: colour, columns, colour },
    signal: new AbortController().signal,
    onInterrupt: () => {},
    lines: async function* () {},
    stdinIsTerminal: false,
  });
  return { exit, out, err };
}
