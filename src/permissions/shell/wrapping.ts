/** Which wrapper a command is, and what it does to the command inside. */
import { gitSubcommand } from "./carry.ts";
import { optionSet } from "./options.ts";
import type { ProgramRow } from "./programs.ts";
import { wordAt, type Unit } from "./tree.ts";
import { SUBCOMMAND_WRAPPERS, type WrapperRow } from "./wrappers.ts";

/** The wrapper that a command is, and where the command that it starts begins. */
export function wrapperOf({ wrapper, subcommands }: ProgramRow, { program, tokens }: Unit): { row: WrapperRow; from: number } | undefined {
  if (wrapper) return { row: wrapper, from: 1 };
  if (subcommands === undefined) return undefined;
  const at = gitSubcommand(tokens);
  const word = wordAt(tokens, at);
  const inner = subcommands.get(word);
  if (inner) return { row: inner, from: at + 1 };
  // `docker compose exec`: one word more.
  const next = word === "compose" ? SUBCOMMAND_WRAPPERS.get(`${program}-${word} ${wordAt(tokens, at + 1)}`) : undefined;
  return next && { row: next, from: at + 2 };
}

/** Whether a wrapper's command runs in another folder than the wrapper. */
export function moves({ moves: options, elsewhere }: WrapperRow, { tokens }: Unit): boolean {
  if (elsewhere) return true;
  if (options === undefined) return false;
  const set = optionSet(options);
  return tokens.some(({ value }) => value.startsWith("-") && (set.has(value.replace(/=.*$/s, "")) || (/^-[A-Z]./.test(value) && set.has(value.slice(0, 2)))));
}
