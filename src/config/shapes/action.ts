/** The action of a typed hook: which fields each type needs. */
import { resolve } from "node:path";
import { ENTRY_OPTIONS, type Dialect } from "../../dialects/dialect.ts";
import { shlexSplit } from "../../lib/shlex.ts";
import type { DocNode } from "../../lib/document/node.ts";
import type { Action, ActionType } from "../../model/hook.ts";
import type { EntryReader } from "../entry.ts";
import { durationMs, type FieldName } from "../fields.ts";
import type { ShapeContext } from "./shape.ts";

/** How long a worker may be idle before it is ended, where its entry does not say. */
export const IDLE_MS = 600_000;

/** Fields of a typed hook in a group. */
export const TYPED_FIELDS: { readonly [key: string]: FieldName } = {
  type: "type", command: "command", args: "args", url: "url", headers: "headers", allowedEnvVars: "allowedEnvVars", secret: "secret", callback: "callback",
  prompt: "prompt", model: "model", if: "if", timeout: "timeout", onFault: "onFault", once: "once", async: "async", enabled: "enabled", name: "name", env: "env",
  statusMessage: "statusMessage",
}; // prettier-ignore

/** The fields that a typed hook may have in a dialect: options that its agent does not know are none of them. */
export function typedFieldsOf({ options }: Pick<Dialect, "options">): { readonly [key: string]: FieldName } {
  const isForeign = (key: string): boolean => ENTRY_OPTIONS.some((option) => option === key && !options.includes(option));
  return Object.fromEntries(Object.entries(TYPED_FIELDS).filter(([key]) => !isForeign(key)));
}

interface FoundAction {
  readonly action: Action;
  readonly name: string;
  /** The field that names the action, for its place in the file. */
  readonly at: FieldName;
}

type ActionReader = (fields: EntryReader, context: ShapeContext) => FoundAction | string;

const ACTIONS: { readonly [type in ActionType]: ActionReader } = {
  command: (fields, { dialect }) => {
    const args = fields.get("args");
    const command = fields.get("command");
    if (command !== undefined && args !== undefined) {
      return { action: { type: "command", launch: "argv", command, args: [command, ...args] }, name: [command, ...args].join(" "), at: "command" };
    }
    if (command !== undefined) return { action: { type: "command", launch: dialect.launch, command, args: null }, name: command, at: "command" };
    if (args?.[0] !== undefined && args[0] !== "")
      return { action: { type: "command", launch: "argv", command: args[0], args }, name: args.join(" "), at: "args" };
    return 'a command hook needs "command"';
  },
  http: (fields, { dialect }) => {
    const url = fields.get("url");
    if (url === undefined) return 'an http hook needs "url"';
    const allowedEnv = fields.get("allowedEnvVars") ?? (dialect.headerEnv === "any" ? null : []);
    const secret = fields.get("secret") ?? null;
    return {
      action: { type: "http", url, headers: fields.get("headers") ?? {}, allowedEnv, secret, refused: null, allowPrivate: false },
      name: url,
      at: "url",
    };
  },
  callback: (fields, { callbackModule }) => {
    const callback = fields.get("callback");
    if (callback === undefined) return 'a callback hook needs "callback", the name of an export';
    return { action: { type: "callback", callback, module: callbackModule }, name: callback, at: "callback" };
  },
  module: (fields, { folder }) => {
    const module = fields.get("module");
    if (module === undefined) return 'a module hook needs "module", the path of a JavaScript or TypeScript file';
    if (fields.has("command")) return 'an entry has either "module" or "command", not both';
    const idle = fields.get("idle");
    return {
      action: { type: "module", module: resolve(folder, module), worker: { idleMs: idle === undefined ? IDLE_MS : durationMs(idle) } },
      name: module,
      at: "module",
    };
  },
  prompt: (fields) => asking("prompt", fields),
  agent: (fields) => asking("agent", fields),
};

/** The action of an entry, or undefined after a report of what is missing. */
export function actionOf(node: DocNode, fields: EntryReader, context: ShapeContext): FoundAction | undefined {
  const type = fields.get("type") ?? (fields.has("type") ? undefined : impliedType(fields, context));
  if (type === undefined) return undefined;
  if (!context.dialect.types.includes(type)) {
    context.report(fields.at("type"), {
      kind: "wrong-type",
      message: `${context.dialect.title} has no hooks of type ${type}; it has ${context.dialect.types.join(", ")}`,
    });
    return undefined;
  }
  const found = ACTIONS[type](fields, context);
  if (typeof found !== "string") return found;
  context.report(node.at, { kind: "missing-key", message: found });
  return undefined;
}

/** A command line split without a shell, or undefined after a report of what is wrong with it. */
export function splitCommand(command: string): readonly string[] | string {
  const split = shlexSplit(command);
  if (split.kind === "unbalanced") return `the command ${JSON.stringify(command)} has ${split.what}`;
  return split.words.length > 0 ? split.words : "the command is empty";
}

function asking(type: "prompt" | "agent", fields: EntryReader): FoundAction | string {
  const prompt = fields.get("prompt");
  if (prompt === undefined) return `a hook of type ${type} needs "prompt"`;
  return { action: { type, prompt, model: fields.get("model") ?? null }, name: prompt, at: "prompt" };
}

function impliedType(fields: EntryReader, { dialect }: ShapeContext): ActionType {
  if (fields.has("module") && dialect.types.includes("module")) return "module";
  if (fields.has("url")) return "http";
  if (fields.has("callback")) return "callback";
  return fields.has("prompt") && !fields.has("command") ? "prompt" : "command";
}
