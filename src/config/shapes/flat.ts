/** Entries directly under their event: Goose's, and the native ones. */
import { kindOf, type DocNode } from "../../lib/document/node.ts";
import type { SandboxLevel } from "../../lib/sandbox-level.ts";
import { lookup } from "../../lib/json.ts";
import type { Action, ActionType } from "../../model/hook.ts";
import { readEntry, type EntryReader } from "../entry.ts";
import { durationMs, type FieldName } from "../fields.ts";
import { actionOf, IDLE_MS, splitCommand, TYPED_FIELDS } from "./action.ts";
import { draft, type HookDraft, type ShapeContext, type ShapeReader } from "./shape.ts";

/** Fields of a flat entry. */
export const GOOSE_FIELDS: { readonly [key: string]: FieldName } = {
  command: "command",
  timeout: "timeout",
  tool_name: "tool_name",
  onFault: "onFault",
  enabled: "enabled",
  name: "name",
};

const { timeout: _seconds, statusMessage: _status, ...SHARED_FIELDS } = TYPED_FIELDS;
/** Fields of a native entry: those of typed hooks, with a duration for a timeout. */
export const NATIVE_FIELDS: { readonly [key: string]: FieldName } = {
  ...SHARED_FIELDS,
  timeout: "duration",
  matcher: "matcher",
  module: "module",
  worker: "worker",
  idle: "idle",
  passEnv: "passEnv",
  sandbox: "sandbox",
};

/** `{command, timeout, tool_name}`: a program and its arguments, split without a shell. */
export const flat: ShapeReader = {
  wants: "an entry with command",
  fits: (entry) => entry.kind === "object" && !entry.entries.some(({ key }) => key === "hooks"),
  read: (entry, context) => {
    if (!isEntry(entry, context)) return [];
    const fields = readEntry(entry, { fields: GOOSE_FIELDS, unknown: "near", report: context.report });
    const command = fields.get("command");
    if (command === undefined) {
      if (!fields.has("command")) context.report(entry.at, { kind: "missing-key", message: 'the entry needs "command"' });
      return [];
    }
    const args = splitCommand(command);
    if (typeof args === "string") {
      context.report(fields.at("command"), { kind: "bad-command", message: `${args}; this hook is off` });
      return [];
    }
    const timeout = fields.get("timeout");
    return [
      {
        ...draft(fields.at("command"), fields.get("name") ?? command, { type: "command", launch: context.dialect.launch, command, args }),
        matcher: fields.get("tool_name") ?? null,
        matcherAt: fields.at("tool_name"),
        timeoutMs: timeout === undefined ? null : timeout * 1_000,
        onFault: fields.get("onFault") ?? null,
        enabled: fields.get("enabled") ?? true,
      },
    ];
  },
};

/** Every option there is. */
export const native: ShapeReader = {
  wants: "an entry with command, module, url, callback or prompt",
  fits: flat.fits,
  read: (entry, context) => {
    if (!isEntry(entry, context)) return [];
    const fields = readEntry(entry, { fields: NATIVE_FIELDS, unknown: "error", report: context.report });
    const action = actionOf(entry, fields, context);
    if (!action) return [];
    const duration = fields.get("duration");
    const read: HookDraft = {
      ...draft(fields.at(action.at), fields.get("name") ?? action.name, warmAction(action.action, fields, context)),
      matcher: fields.get("matcher") ?? null,
      matcherAt: fields.at("matcher"),
      condition: fields.get("if") ?? null,
      timeoutMs: duration === undefined ? null : durationMs(duration),
      onFault: fields.get("onFault") ?? null,
      once: fields.get("once") ?? false,
      async: fields.get("async") ?? false,
      enabled: fields.get("enabled") ?? true,
      env: fields.get("env") ?? {},
      passEnv: fields.get("passEnv") ?? [],
      sandbox: sandboxOf(action.action, fields, context),
    };
    return [read];
  },
};

/** A sandbox holds a program; whoever asks for one elsewhere hears what it does there. */
function sandboxOf({ type }: Action, fields: EntryReader, { report }: ShapeContext): SandboxLevel | null {
  const level = fields.get("sandbox") ?? null;
  const told = level === null || level === "none" ? undefined : lookup(UNCONFINED, type);
  if (told !== undefined) report(fields.at("sandbox"), { kind: "unsupported-option", message: told });
  return level;
}

const UNCONFINED: { readonly [type in ActionType]?: string } = {
  callback: "a callback runs inside Snaphook, where no sandbox can hold it: this hook fails each time. Make it a command or a module",
  http: "sandbox holds programs that hooks start, and an http hook starts none; allowedHttpHookUrls says where it may be sent",
  prompt: "sandbox holds programs that hooks start, and a prompt starts none",
  agent: "sandbox holds programs that hooks start; what an agent starts is held by permission rules",
};

/** `worker` is for commands, `idle` for what stays: a module always does. */
function warmAction(action: Action, fields: EntryReader, { report }: ShapeContext): Action {
  const worker = fields.get("worker");
  const idle = fields.get("idle");
  if (action.type === "command" && worker) return { ...action, worker: { idleMs: idle === undefined ? IDLE_MS : durationMs(idle) } };
  if (action.type !== "module" && worker) {
    report(fields.at("worker"), { kind: "unsupported-option", message: `worker is for command hooks; this one is of type ${action.type}` });
  }
  if (action.type === "module" && worker === false) {
    report(fields.at("worker"), { kind: "unsupported-option", message: "a module always stays between events; remove worker" });
  }
  if (action.type !== "module" && fields.has("idle")) {
    report(fields.at("idle"), { kind: "unsupported-option", message: "idle is for hooks that stay between events: add worker: true" });
  }
  return action;
}

function isEntry(entry: DocNode, { report }: ShapeContext): boolean {
  if (entry.kind === "object") return true;
  report(entry.at, { kind: "wrong-type", message: `an entry {command: …} is wanted here, not ${kindOf(entry)}` });
  return false;
}
