/** Context above a limit goes to a file: the model gets the beginning of it, and where the whole is. */
import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../lib/errors.ts";
import { makePrivate } from "../lib/private.ts";
import type { HookEvent } from "../model/events.ts";
import type { Heard } from "../model/heard.ts";
import type { Effect } from "../model/outcome.ts";

/** What one hook may put in front of the model at one event, in characters. */
export const CONTEXT_LIMIT_CHARACTERS = 10_000;
/** The same at tool events, where a session's budget for tool results already holds. */
export const TOOL_CONTEXT_LIMIT_CHARACTERS = 100_000;
/** How much of it the model is shown. */
const PREVIEW_CHARACTERS = 2_000;
const AGE_MS = 7 * 24 * 3_600_000;
const NAME = /^\d+-[0-9a-f-]{36}\.txt$/;

/** What whoever puts context in front of a model may settle. */
export interface SpillSettings {
  /** Where it goes; files are kept for a week. Default: `snaphook/spill` in the state folder of `env`. */
  readonly folder?: string;
  /** What one hook may give at one event. Default: 10,000 characters, 100,000 at tool events. */
  readonly limitCharacters?: number;
}

/** Where large context is kept, and what is large. */
export interface SpillOptions extends Omit<SpillSettings, "folder"> {
  /** A folder of the user's own; null: there is none, and what does not fit is lost with a remark. */
  readonly folder: string | null;
  /** Wall-clock time in milliseconds. */
  readonly now: () => number;
}

/** What was heard, with context that is too large put into files; itself where nothing is. Verdicts and reasons are never touched. */
export function spill(heard: Heard, event: HookEvent, options: SpillOptions): Heard {
  const limit = options.limitCharacters ?? (event.tool ? TOOL_CONTEXT_LIMIT_CHARACTERS : CONTEXT_LIMIT_CHARACTERS);
  const isLarge = (effect: Effect): boolean => effect.kind === "context" && effect.text.length > limit;
  if (heard.outcome.effects.length === 0 || !heard.outcome.effects.some(isLarge)) return heard;
  const remarks: string[] = [];
  const effects = heard.outcome.effects.map((effect) => {
    if (effect.kind !== "context" || !isLarge(effect)) return effect;
    const kept = keep(effect.text, options);
    remarks.push(`its context of ${effect.text.length} characters ${kept.tells}`);
    return { ...effect, text: `${preview(effect.text, limit)}\n\n[${heard.hook.name} gave ${effect.text.length} characters of context. ${kept.rest}]` };
  });
  return { ...heard, run: { ...heard.run, remarks: [...heard.run.remarks, ...remarks] }, outcome: { ...heard.outcome, effects } };
}

interface Kept {
  /** What the model is told of the rest. */
  readonly rest: string;
  /** What the decision's notice says. */
  readonly tells: string;
}

function keep(text: string, { folder, now }: SpillOptions): Kept {
  const path = folder === null ? new Error("there is no folder for it: neither HOME nor XDG_STATE_HOME is set") : written(text, folder, now());
  if (typeof path === "string") return { rest: `The whole text is in ${path}`, tells: `is in ${path}; the model was given its beginning` };
  return { rest: "The rest is lost: it could not be kept.", tells: `was cut, and the rest could not be kept: ${messageOf(path)}` };
}

/** The path of a new file with this text, or what went wrong. */
function written(text: string, folder: string, now: number): string | Error {
  try {
    const open = makePrivate(folder);
    if (open !== null) return new Error(open);
    forgetOld(folder, now);
    const path = join(folder, `${now}-${randomUUID()}.txt`);
    try {
      writeFileSync(path, text, { mode: 0o600, flag: "wx" });
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    }
    return path;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Files that nobody will ask for any more. */
function forgetOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (NAME.test(name) && now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > AGE_MS) rmSync(path, { force: true });
  }
}

/** The beginning, without half a character at its end. */
function preview(text: string, limit: number): string {
  const cut = text.slice(0, Math.min(PREVIEW_CHARACTERS, limit));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
