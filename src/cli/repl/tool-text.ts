/** Tool calls as one line for people. */
import { canonicalCall } from "../../dialects/spelling.ts";
import { isObject, lookup, type JsonObject } from "../../lib/json.ts";
import { TOOLS, type ToolRow } from "../../model/tools.ts";
import { shortPaths, type Folders } from "../render/paths.ts";
import { cleanLine } from "./clean.ts";

interface Call {
  readonly name: string;
  readonly input: JsonObject;
}

/** What a call is about: its command, path or pattern; else its whole input as JSON. */
export function callSubject(call: Call, folders: Folders): string {
  const { name, input } = canonicalCall(call);
  const argument = lookup<ToolRow>(TOOLS, name)?.argument;
  const value = argument === null || argument === undefined ? undefined : input[argument];
  const detail = SUBJECTS.map((key) => input[key]).find((text) => typeof text === "string") ?? firstQuestion(input["questions"]);
  const text = typeof value === "string" ? value : typeof detail === "string" ? detail : Object.keys(input).length === 0 ? "" : JSON.stringify(call.input);
  return shortPaths(cleanLine(text), folders);
}

/** Keys that say what a call is about where the table of tools does not. */
const SUBJECTS = ["description", "prompt", "pattern", "query"];

function firstQuestion(questions: unknown): unknown {
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  return isObject(first) ? first["question"] : undefined;
}

/** The call as a rule would name it: `Write(notes.md)`. */
export function callPattern(call: Call, folders: Folders): string {
  const subject = callSubject(call, folders);
  return subject === "" ? cleanLine(call.name) : `${cleanLine(call.name)}(${subject})`;
}
