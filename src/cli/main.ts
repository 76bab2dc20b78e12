/** The command line: finds the command, reads its words, says what went wrong in one line. */
import { parseArgs } from "node:util";
import { messageOf } from "../lib/errors.ts";
import { lookup } from "../lib/json.ts";
import { nearest } from "../lib/nearest.ts";
import { SnaphookError } from "../model/errors.ts";
import { COMMON_OPTIONS, parseTable, type Command, type Option, type Surface, type Words } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp, mainHelp } from "./help.ts";

/** Runs one command line and returns the exit code. */
export async function main(args: readonly string[], surface: Surface): Promise<number> {
  try {
    return await runCommandLine(args, surface);
  } catch (error) {
    if (surface.signal.aborted) return CANCELLED;
    surface.stderr(`snaphook: internal fault: ${messageOf(error)}\n`);
    if (surface.env["SNAPHOOK_DEBUG"]) surface.stderr(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}

/** The same, but that it rejects for what is not the caller's mistake. */
export async function runCommandLine(args: readonly string[], surface: Surface): Promise<number> {
  try {
    return await dispatch(args, surface);
  } catch (error) {
    if (!(error instanceof SnaphookError)) throw error;
    surface.stderr(`snaphook: ${error.message}\n`);
    return error.exitCode;
  }
}

/** As a shell reports a command that was interrupted. */
const CANCELLED = 130;

async function dispatch([name, ...rest]: readonly string[], surface: Surface): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const asked = name === "help" && rest[0] !== undefined ? await loadCommand(rest[0]) : undefined;
    surface.stdout(asked && rest[0] !== undefined ? commandHelp(rest[0], asked) : mainHelp());
    return name === undefined ? 64 : 0;
  }
  if (name === "--version" || name === "-v") {
    surface.stdout(`${(await import("./version.ts")).VERSION}\n`);
    return 0;
  }
  const command = await loadCommand(name);
  const words = readWords(rest, name, command);
  if (words.flags["help"]) {
    surface.stdout(commandHelp(name, command));
    return 0;
  }
  return command.run(words, surface);
}

async function loadCommand(name: string): Promise<Command> {
  const row = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (row) return row.load();
  const meant = nearest(name, Object.keys(COMMANDS));
  throw new SnaphookError("SNAP_USAGE", {
    message: `unknown command "${name}"${meant === undefined ? "." : `, did you mean "${meant}"?`} \`snaphook --help\` lists the commands.`,
  });
}

interface GivenWords {
  readonly given: Words["sequence"];
  readonly positionals: readonly string[];
}

/** Words as programs write them: known long options with their values apart. Undefined for anything else; the parser for that costs a start more. */
function plainWords(args: readonly string[], options: { readonly [name: string]: Option }): GivenWords | undefined {
  const given: { name: string; value: string | undefined }[] = [];
  const positionals: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (!arg.startsWith("-")) {
      positionals.push(arg);
      continue;
    }
    const option = arg.startsWith("--") ? lookup(options, arg.slice(2)) : undefined;
    const value = option?.type === "string" ? args[++index] : undefined;
    if (!option || option.optional || (option.type === "string" && (value === undefined || value.startsWith("-")))) return undefined;
    given.push({ name: arg.slice(2), value });
  }
  return { given, positionals };
}

function anyWords(args: readonly string[], options: { readonly [name: string]: Option }): GivenWords {
  const { tokens, positionals } = parseArgs({
    args: withOptionalValues(args, options),
    options: parseTable(options),
    allowPositionals: true,
    strict: true,
    tokens: true,
  });
  return { given: tokens.flatMap((token) => (token.kind === "option" ? [{ name: token.name, value: token.value }] : [])), positionals };
}

/** `--resume` alone is `--resume=`: the parser knows no optional values. */
function withOptionalValues(args: readonly string[], options: { readonly [name: string]: Option }): string[] {
  return args.map((arg, index) => {
    const next = args[index + 1];
    const alone = next === undefined || next.startsWith("-");
    return arg.startsWith("--") && options[arg.slice(2)]?.optional && alone ? `${arg}=` : arg;
  });
}

function readWords(args: readonly string[], name: string, command: Command): Words {
  const options = { ...command.options, ...COMMON_OPTIONS };
  try {
    const { given, positionals } = plainWords(args, options) ?? anyWords(args, options);
    const values: { [name: string]: string[] } = {};
    for (const { name: option, value } of given) if (value !== undefined) values[option] = [...(values[option] ?? []), value];
    const flags = Object.fromEntries(given.filter(({ value }) => value === undefined).map((option) => [option.name, true]));
    return { positionals, values, flags, sequence: given };
  } catch (error) {
    throw new SnaphookError("SNAP_USAGE", { message: `${messageOf(error).split(". ")[0] ?? ""}. \`snaphook ${name} --help\` lists the options.` });
  }
}
