/** What every command of the command line is made of. */
import type { ParseArgsConfig } from "node:util";
import type { Engine, EngineOptions } from "../engine/engine.ts";

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
  /** Takes over Ctrl-C: as long as the listener returns true, the command goes on. */
  readonly onInterrupt: (listener: () => boolean) => void;
  /** Lines of stdin as they come, for programs that talk. */
  readonly lines: () => AsyncIterable<string>;
  readonly stdinIsTerminal: boolean;
  /** Opens engines instead of `createEngine`, where some are kept warm. The path is that of the callbacks' module. */
  readonly openEngine?: (options: EngineOptions, callbacks: string | undefined) => Promise<Engine>;
}

/** One option: how it is read and how the help shows it. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** The value may be left out. */
  readonly optional?: boolean;
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

/** One command: what its help says and what it does. */
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
  return Object.fromEntries(Object.entries(options).map(([name, { type, short }]) => [name, { type, multiple: true, ...(short !== undefined && { short }) }]));
}
