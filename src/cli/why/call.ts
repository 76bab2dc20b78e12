/** The tool call that a command line asks about. */
import { canonicalTool } from "../../permissions/rules.ts";
import { isObject, lookup, parseJson, type JsonObject } from "../../lib/json.ts";
import { SnaphookError } from "../../model/errors.ts";
import { TOOLS, type ToolCall } from "../../model/tools.ts";
import type { Option, Surface, Words } from "../command.ts";

/** The options that name a call which is not a shell command. */
export const CALL_OPTIONS: { readonly [name: string]: Option } = {
  tool: { type: "string", value: "TOOL", help: "a tool instead of a shell command, in any dialect's spelling" },
  input: { type: "string", value: "JSON", help: 'its input, as {"file_path": ".env"}; a plain word stands for the input that rules look at' },
};

/** The call that was asked about; `-` reads the command from stdin. */
export async function readCall(words: Words, surface: Surface, command: string): Promise<ToolCall> {
  const [word, ...more] = words.positionals;
  const tool = words.values["tool"]?.at(-1);
  const input = words.values["input"]?.at(-1);
  if (more.length > 0) throw usage(`${command} takes one command: put it in quotes, as snaphook ${command} "git status"`);
  if (word !== undefined && input !== undefined) throw usage("a command and --input are two ways to say the same: use one of them");
  const text = word === "-" ? (await surface.stdin()).replace(/\n$/, "") : word;
  if (tool === undefined && text !== undefined) return { name: SHELL.ruleName, input: { [SHELL.argument]: text } };
  if (tool === undefined) throw usage(`${command} takes a shell command in quotes, or --tool and --input: snaphook ${command} "git status"`);
  return { name: tool, input: text === undefined ? readInput(input) : { [argumentOf(tool)]: text } };
}

const SHELL = TOOLS.shell;

function readInput(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  const input = parseJson(text);
  if (isObject(input)) return input;
  throw usage(`--input ${JSON.stringify(text)} is not a JSON object, as {"file_path": ".env"}`);
}

function argumentOf(tool: string): string {
  const argument = lookup(TOOLS, canonicalTool(tool))?.argument;
  if (argument !== undefined && argument !== null) return argument;
  throw usage(`it is not known which input of ${tool} a plain word would be: use --input with JSON`);
}

function usage(message: string): SnaphookError {
  return new SnaphookError("SNAP_USAGE", { message });
}
