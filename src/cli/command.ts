/** What every command of the command line is made of. */
import type { ParseArgsConfig } from "node:util";

/** Standard streams and surroundings, handed in by `main`. */
export interface Surface {
  readonly env: { readonly [name: string]: string | undefined };
  readonly cwd: string;
  readonly stdin: () => Promise<string>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Whether stdout is a terminal, how wide it is, and whether colour is wanted. */
  readonly terminal: { readonly isTerminal: boolean; readonly columns: number; readonly colour: boolean };
  readonly signal: AbortSignal;
}

export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly help: string;
}

/** Options and words of a command line, in the order in which they were given. */
export interface Words {
  readonly positionals: readonly string[];
  readonly flags: { readonly [name: string]: boolean };
  readonly values: { readonly [name: string]: readonly string[] };
  /** Every option with its value, in order: some hold for those after them. */
  readonly sequence: readonly { readonly name: string; readonly value: string | undefined }[];
}

export interface Command {
  readonly summary: string;
  readonly usage: string;
  readonly options: { readonly [name: string]: Option };
  /** More for the help, a paragraph a line. */
  readonly notes?: readonly string[];
  /** Returns the exit code. */
  run(words: Words, surface: Surface): Promise<number>;
}

/** An option that every command has. */
export const COMMON_OPTIONS: { readonly [name: string]: Option } = {
  json: { type: "boolean", help: "machine-readable output" },
  help: { type: "boolean", short: "h", help: "this text" },
};

/** The table for `util.parseArgs`. */
export function parseTable(options: { readonly [name: string]: Option }): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [name, { type, multiple: true, ...(short !== undefined && { short }) }]),
  );
}
