/** Help texts, printed from the tables. */
import { COMMON_OPTIONS, type Command, type Option } from "./command.ts";
import { COMMANDS } from "./commands.ts";

/** `snaphook --help`. */
export function mainHelp(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "snaphook: lifecycle hooks and a permission gate for AI coding agents",
    "",
    "usage: snaphook <command> [options]",
    "",
    ...rows,
    "",
    "snaphook <command> --help tells more.",
    EXITS,
    "",
  ].join("\n");
}

/** `snaphook <command> --help`. */
export function commandHelp(name: string, { summary, usage, options, notes = [] }: Command): string {
  const rows = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([option, row]) => [optionText(option, row), row.help] as const);
  const width = Math.max(...rows.map(([left]) => left.length));
  const table = rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`);
  return [`snaphook ${name}: ${summary}`, "", `usage: snaphook ${usage}`, "", ...table, ...(notes.length > 0 ? ["", ...notes] : []), "", EXITS, ""].join("\n");
}

const EXITS = "exit: 0 fine, 2 denied, 1 internal fault, 64 wrong usage, 78 bad configuration";

function optionText(name: string, { type, short, value }: Option): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${type === "string" ? ` ${value ?? "VALUE"}` : ""}`;
}
