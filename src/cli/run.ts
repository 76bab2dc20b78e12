import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as v from "valibot";
import { messageOf } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import { SnaphookError } from "../model/errors.ts";
import { MODES, type Mode } from "../model/rule.ts";
import { fixedMouth, preparedMouth, type Mouth } from "../session/approvals.ts";
import { createSession, type SessionOptions } from "../session/create.ts";
import type { Session } from "../session/session.ts";
import type { TurnResult } from "../session/turn.ts";
import { AUDIT_OPTION } from "./audit/place.ts";
import { openRecording } from "./audit/recording.ts";
import { loadCallbacks } from "./callbacks.ts";
import type { Command, Surface, Words } from "./command.ts";
import { CONFIG_OPTIONS, configsOf, trustOf } from "./config-options.ts";
import { watchable } from "./desk.ts";
import { jsonWatch } from "./repl/json-watch.ts";

/** `snaphook run`. */
export const runCommand: Command = {
  summary: "a session: REPL on a terminal, headless with --prompt or stdin",
  usage: "run [--prompt TEXT]… [--model PROVIDER:NAME] [--mode MODE] [--resume [ID]]",
  options: {
    prompt: { type: "string", short: "p", value: "TEXT", help: "a prompt; repeatable, one turn each in one session. Without it stdin is one prompt" },
    model: { type: "string", value: "MODEL", help: "anthropic:NAME, openai:NAME, ollama:NAME, compatible:NAME or script:FILE" },
    mode: { type: "string", value: "MODE", help: MODES.join(", ") },
    resume: { type: "string", value: "[ID]", optional: true, help: "continue a session of this folder; without ID the newest" },
    approve: { type: "string", value: "ANSWER", help: "answer every question: allow, deny, or none (nobody is there; the default)" },
    approvals: { type: "string", value: "FILE", help: 'answers by call: [{"tool", "match"?, "answer": "allow"|"always"|"deny", "text"?}]' },
    "max-rounds": { type: "string", value: "N", help: "model calls of one turn before a summary is forced (100)" },
    "plugin-dir": { type: "string", value: "DIR", help: "a plugin; repeatable, in order" },
    callbacks: { type: "string", value: "FILE", help: "an ES module whose exports are the callbacks that files name" },
    init: { type: "boolean", help: "fire setup before the session starts" },
    ...CONFIG_OPTIONS,
    ...AUDIT_OPTION,
  },
  notes: [
    "On a terminal, without --prompt, it is a REPL: /help lists its commands, Esc or Ctrl-C cancels a turn.",
    "Exit: 0 fine, 1 when the last turn ended in an error, 2 when the last prompt was denied.",
  ],
  run: async (words, surface) => {
    if (words.positionals.length > 0)
      throw new SnaphookError("SNAP_USAGE", {
        message: `run takes no words, but ${JSON.stringify(words.positionals[0])} was given; a prompt goes behind --prompt`,
      });
    const recording = await openRecording(words, surface, { byDefault: true });
    try {
      const options = { ...(await sessionOptions(words, surface)), ...recording.options };
      const given = words.values["prompt"];
      if (given === undefined && surface.stdinIsTerminal && !words.flags["json"]) return await (await import("./repl/repl.ts")).runRepl(options, surface);
      const prompts = given ?? [(await surface.stdin()).replace(/\n+$/, "")];
      return await headless(options, prompts, { words, surface });
    } finally {
      await recording.close();
    }
  },
};

async function headless(options: SessionOptions, prompts: readonly string[], { words, surface }: { words: Words; surface: Surface }): Promise<number> {
  let session: Session | null = null;
  const contextUse = () => session && { used: session.core.used, contextWindow: session.core.model.contextWindow };
  const folders = { cwd: options.cwd, home: surface.env["HOME"] ?? "" };
  const watch = words.flags["json"] ? jsonWatch(surface) : (await import("./repl/watch.ts")).watchSession(surface, { folders, contextUse });
  const [first] = prompts;
  const started = await createSession(watchable({ ...options, ...watch, ...(first !== undefined && { firstPrompt: first }) }, surface));
  session = started;
  surface.onInterrupt(() => started.cancel());
  surface.signal.addEventListener("abort", () => void started.cancel(), { once: true });
  let last: TurnResult = { reason: "stop", text: "" };
  try {
    for (const prompt of prompts) {
      if (surface.signal.aborted) break;
      watch.onPrompt(prompt);
      last = await started.prompt(prompt);
    }
  } finally {
    // A headless session ends with reason `other` [W5].
    await started.end("other");
  }
  return surface.signal.aborted ? CANCELLED : (EXITS[last.reason] ?? 0);
}

/** As a shell reports a command that was ended by a signal. */
const CANCELLED = 130;

const EXITS: { readonly [reason: string]: number } = { error: 1, denied: 2 };

/** The options of `createSession` that a command line says. */
export async function sessionOptions(words: Words, surface: Surface): Promise<SessionOptions> {
  const value = (name: string): string | undefined => words.values[name]?.at(-1);
  const cwd = resolve(surface.cwd, value("cwd") ?? ".");
  const model = value("model");
  const mode = readMode(value("mode"));
  const resume = value("resume");
  const callbacks = value("callbacks");
  const maxRounds = readCount(value("max-rounds"));
  return {
    cwd,
    env: surface.env,
    configs: configsOf(words),
    mouths: await mouthsOf(value("approve"), value("approvals"), cwd),
    ...(words.values["plugin-dir"] && { pluginDirs: words.values["plugin-dir"] }),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    ...(resume !== undefined && { resume: resume === "" ? true : resume }),
    ...(callbacks !== undefined && { callbacks: await loadCallbacks(resolve(cwd, callbacks)) }),
    ...(maxRounds !== undefined && { maxRounds }),
    ...trustOf(words),
    ...(words.flags["init"] && { setup: "init" as const }),
  };
}

/** A mode by name. */
export function readMode(word: string | undefined): Mode | undefined {
  if (word === undefined) return undefined;
  const mode = MODES.find((each) => each === word);
  if (mode) return mode;
  throw new SnaphookError("SNAP_USAGE", { message: `mode ${JSON.stringify(word)} is not one of ${MODES.join(", ")}` });
}

function readCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]{0,6}$/.test(text)) return Number(text);
  throw new SnaphookError("SNAP_USAGE", { message: `--max-rounds ${JSON.stringify(text)} is not a number above 0` });
}

const Answers = v.array(
  v.object({ tool: v.string(), match: v.optional(v.string()), answer: v.picklist(["allow", "always", "deny"]), text: v.optional(v.string()) }),
);

async function mouthsOf(approve: string | undefined, file: string | undefined, cwd: string): Promise<readonly Mouth[]> {
  const prepared = file === undefined ? [] : [preparedMouth(await readAnswers(resolve(cwd, file)), file)];
  if (approve === undefined || approve === "none") return prepared;
  if (approve !== "allow" && approve !== "deny")
    throw new SnaphookError("SNAP_USAGE", { message: `--approve ${JSON.stringify(approve)} is not one of allow, deny, none` });
  return [...prepared, fixedMouth(approve)];
}

async function readAnswers(path: string): Promise<v.InferOutput<typeof Answers>> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${path} can't be read: ${messageOf(error)}` });
  });
  const parsed = v.safeParse(Answers, parseJson(text));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new SnaphookError("SNAP_BAD_CONFIG", {
    message: `${path}: ${v.getDotPath(issue) ?? "it"} is not valid: ${issue.message}; wanted is [{"tool", "match"?, "answer", "text"?}]`,
  });
}
