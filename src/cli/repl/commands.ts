/** The commands of the REPL: a row each. */
import { inventory } from "../../lint/inventory.ts";
import { messageOf } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import { MODES } from "../../model/rule.ts";
import { COMPACT_AT, RESULT_LIMIT } from "../../session/budget.ts";
import type { Session } from "../../session/session.ts";
import type { Surface } from "../command.ts";
import type { Paint } from "../render/colour.ts";
import { alignColumns } from "../render/columns.ts";
import { inventoryText } from "../render/inventory.ts";
import type { Folders } from "../render/paths.ts";
import { counted, shorten } from "../render/text.ts";
import { cleanLine } from "./clean.ts";
import { usableColumns, wrapHard } from "./layout.ts";
import { percentText, tokensText } from "./numbers.ts";
import { placeText } from "./rows.ts";

/** What a command may use. */
export interface CommandContext {
  readonly session: Session;
  readonly terminal: Surface["terminal"];
  readonly folders: Folders;
  readonly paint: Paint;
  readonly print: (text: string) => void;
  /** Runs something that can be cancelled like a turn. */
  readonly work: (work: () => Promise<unknown>) => Promise<void>;
}

/** One command. `exit`: the REPL ends. */
export interface ReplCommand {
  readonly usage: string;
  readonly help: string;
  run(argument: string, context: CommandContext): Promise<"go-on" | "exit">;
}

/** Every command by its name. */
export const REPL_COMMANDS: { readonly [name: string]: ReplCommand } = {
  help: { usage: "/help", help: "this list", run: async (_, context) => says(context, helpText(context.paint)) },
  hooks: { usage: "/hooks", help: "which hooks are armed, and from where", run: async (_, context) => says(context, hooksText(context)) },
  permissions: {
    usage: "/permissions",
    help: "rules, what was learned in this session, and the mode",
    run: async (_, context) => says(context, permissionsText(context)),
  },
  mode: {
    usage: "/mode [MODE]",
    help: "the permission mode: shows or changes it",
    run: async (argument, context) => says(context, modeText(argument, context)),
  },
  context: { usage: "/context", help: "how full the context is, and when it is compacted", run: async (_, context) => says(context, contextText(context)) },
  clear: {
    usage: "/clear",
    help: "forget the conversation, keep rules and mode",
    run: async (_, context) => promptOf(context, "/clear", "the conversation is empty"),
  },
  compact: {
    usage: "/compact [WHAT TO KEEP]",
    help: "replace the conversation by a summary",
    run: async (argument, context) => promptOf(context, `/compact ${argument}`.trim(), ""),
  },
  exit: { usage: "/exit", help: "end the session; Ctrl-D does too", run: async () => "exit" },
};

/** Runs a line that starts with a slash. */
export async function runCommand(line: string, context: CommandContext): Promise<"go-on" | "exit"> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  const command = Object.hasOwn(REPL_COMMANDS, name) ? REPL_COMMANDS[name] : undefined;
  if (command) return command.run(argument.trim(), context);
  const meant = nearest(name, Object.keys(REPL_COMMANDS));
  return says(context, `unknown command /${cleanLine(name)}${meant === undefined ? "" : `, did you mean /${meant}?`} /help lists the commands.`);
}

/** Completes commands, and the word behind `/mode`. */
export function completeLine(line: string): [string[], string] {
  const words = line.startsWith("/mode ") ? MODES.map((mode) => `/mode ${mode}`) : Object.keys(REPL_COMMANDS).map((name) => `/${name}`);
  return line.startsWith("/") ? [words.filter((word) => word.startsWith(line)), line] : [[], line];
}

/** One sentence is broken where the terminal ends; tables know their width. */
function says({ print, terminal }: CommandContext, text: string): "go-on" {
  const lines = text.includes("\n") ? [text.trimEnd()] : wrapHard(text, usableColumns(terminal.columns));
  print(`${lines.join("\n")}\n`);
  return "go-on";
}

async function promptOf(context: CommandContext, prompt: string, done: string): Promise<"go-on"> {
  await context.work(async () => context.session.prompt(prompt));
  return done === "" ? "go-on" : says(context, done);
}

const KEYS = [
  ["Esc, Ctrl-C", "cancel the turn"],
  ["Ctrl-C twice, Ctrl-D", "end the session"],
  ["\\ at the end of a line", "go on in the next line"],
  ["up, down", "earlier prompts"],
];

function helpText(paint: Paint): string {
  const rows = [...Object.values(REPL_COMMANDS).map(({ usage, help }) => [usage, help]), ...KEYS];
  return alignColumns(rows.map(([left = "", right = ""]) => [`  ${paint("bold", left)}`, right])).join("\n");
}

function hooksText({ session, terminal, folders }: CommandContext): string {
  const { configuration, registry } = session.core.world.live.engine;
  const rows = inventory(
    configuration,
    registry.hooks.filter((hook) => hook.source === null),
  );
  return rows.length === 0
    ? "no hooks are configured here; `snaphook list` shows the places that are searched."
    : inventoryText(rows, { folders, terminal, configuration });
}

/** Learned calls are shown up to this width. */
const CALL_WIDTH = 60;

function permissionsText({ session, folders, paint }: CommandContext): string {
  const { core, mode } = session;
  const { rules } = core.world.live.engine.configuration;
  const rows = [
    ...rules.map(({ verdict, text, source }) => [verdict, cleanLine(text), source ? placeText(source, folders) : ""]),
    ...core.learned.map(({ verdict, text }) => [verdict, cleanLine(text), "a hook, for this session"]),
    ...[...core.approved].map((call) => ["allow", shorten(cleanLine(call), CALL_WIDTH), "you, for this session"]),
  ];
  const head = rows.length === 0 ? "no rules: the mode decides" : counted(rows.length, "rule");
  return [paint("bold", head), ...alignColumns(rows.map((row) => [`  ${row[0] ?? ""}`, ...row.slice(1)])), `mode ${mode}`].join("\n");
}

function modeText(argument: string, { session }: CommandContext): string {
  if (argument === "") return `mode ${session.mode}; the others are ${MODES.filter((mode) => mode !== session.mode).join(", ")}`;
  const mode = MODES.find((each) => each.toLowerCase() === argument.toLowerCase());
  if (!mode) return `mode ${JSON.stringify(cleanLine(argument))} is not one of ${MODES.join(", ")}${hint(argument)}`;
  session.mode = mode;
  return session.mode === mode ? `mode ${mode}` : `mode ${mode} is not permitted by the settings above; the mode is ${session.mode}`;
}

function hint(argument: string): string {
  const meant = nearest(argument, MODES);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

const BAR_WIDTH = 40;

function contextText({ session, paint }: CommandContext): string {
  const { used, model, messages } = session.core;
  const window = model.contextWindow;
  const filled = Math.min(BAR_WIDTH, Math.round((used / window) * BAR_WIDTH));
  const limit = Math.round(COMPACT_AT * BAR_WIDTH);
  const bar = Array.from({ length: BAR_WIDTH }, (_, index) => (index < filled ? "█" : index === limit ? "│" : "░")).join("");
  return [
    `${paint("cyan", bar)}  ${tokensText(used)} of ${tokensText(window)} tokens, ${percentText(used / window)}`,
    ...alignColumns([
      ["model", cleanLine(model.id)],
      ["messages", String(messages.length)],
      ["compaction", `before a call above ${tokensText(window * COMPACT_AT)} (${(COMPACT_AT * 100).toFixed(1)} %); /compact does it now`],
      ["tool results", `refused where they would go above ${tokensText(window * RESULT_LIMIT)} (${percentText(RESULT_LIMIT)})`],
    ]),
  ].join("\n");
}

/** The words for something that failed. */
export function failureText(error: unknown): string {
  return `snaphook: ${cleanLine(messageOf(error))}`;
}
