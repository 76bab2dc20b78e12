/** Which wrapper a command is, and what it does to the command inside. */
import { gitSubcommand } from "./carry.ts";
import { optionSet } from "./options.ts";
import { wordAt, type Unit } from "./tree.ts";
import { SUBCOMMAND_WRAPPERS, WRAPPERS, type WrapperRow } from "./wrappers.ts";

/** The wrapper that a command is, and where the command that it starts begins. */
export function wrapperOf(program: string, unit: Unit): { row: WrapperRow; from: number } | undefined {
  const row = WRAPPERS.get(program);
  if (row) return { row, from: 1 };
  if (!SUBCOMMAND_PROGRAMS.has(program)) return undefined;
  const at = gitSubcommand(unit.tokens);
  const word = wordAt(unit.tokens, at);
  const inner = SUBCOMMAND_WRAPPERS.get(`${program} ${word}`);
  if (inner) return { row: inner, from: at + 1 };
  // `docker compose exec`: one word more.
  const next = SUBCOMMAND_WRAPPERS.get(`${program}-${word} ${wordAt(unit.tokens, at + 1)}`);
  return next ? { row: next, from: at + 2 } : undefined;
}

const SUBCOMMAND_PROGRAMS: ReadonlySet<string> = new Set([...SUBCOMMAND_WRAPPERS.keys()].map((key) => key.replace(/ .*$/, "")));

/** Whether a wrapper's command runs in another folder than the wrapper. */
export function moves({ moves: options, elsewhere }: WrapperRow, { tokens }: Unit): boolean {
  if (elsewhere) return true;
  if (options === undefined) return false;
  const set = optionSet(options);
  return tokens.some(({ value }) => value.startsWith("-") && (set.has(value.replace(/=.*$/s, "")) || (/^-[A-Z]./.test(value) && set.has(value.slice(0, 2)))));
}
