/** The options that say which records are meant. */
import type { AuditFilter } from "../../audit/filter.ts";
import { SnaphookError } from "../../model/errors.ts";
import { EVENTS } from "../../model/events.ts";
import { VERDICTS } from "../../model/verdict.ts";
import type { Option, Words } from "../command.ts";

/** Which records. */
export const FILTER_OPTIONS: { readonly [name: string]: Option } = {
  since: { type: "string", value: "TIME", help: "from then on: 30m, 2h, 7d ago, or 2026-11-15, or 2026-11-15T10:30" },
  until: { type: "string", value: "TIME", help: "before then" },
  session: { type: "string", value: "ID", help: "one session, by its id or how it begins" },
  tool: { type: "string", value: "TOOL", help: "one tool, in any dialect's spelling" },
  verdict: { type: "string", value: "VERDICT", help: `${VERDICTS.join(", ")} or none` },
  event: { type: "string", value: "EVENT", help: "one event, as tool.before" },
  hook: { type: "string", value: "NAME", help: "records in which a hook took part whose name contains this" },
};

/** The filter that a command line asks for; plain words are searched in the texts. */
export function filterOf(words: Words, nowMs: number): AuditFilter {
  const value = (name: string): string | undefined => words.values[name]?.at(-1);
  const [since, until, session, tool, hook] = ["since", "until", "session", "tool", "hook"].map(value);
  const event = oneOf(value("event"), Object.keys(EVENTS), "--event");
  const verdict = verdictOf(value("verdict"));
  const text = words.positionals.join(" ");
  return {
    ...(since !== undefined && { sinceMs: timeOf(since, nowMs, "--since") }),
    ...(until !== undefined && { untilMs: timeOf(until, nowMs, "--until") }),
    ...(session !== undefined && { session }),
    ...(tool !== undefined && { tool }),
    ...(hook !== undefined && { hook }),
    ...(event !== undefined && { event }),
    ...(verdict !== undefined && { verdict }),
    ...(text !== "" && { text }),
  };
}

/** A number of records. */
export function countOf(words: Words, usual: number): number {
  const text = words.values["lines"]?.at(-1);
  if (text === undefined) return usual;
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw usage(`--lines ${JSON.stringify(text)} is not a number above 0`);
}

const UNITS_MS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function timeOf(text: string, nowMs: number, option: string): number {
  const ago = /^(\d{1,9})\s*([smhdw])$/.exec(text);
  const unit = ago?.[2] === undefined ? undefined : UNITS_MS[ago[2]];
  if (unit !== undefined) return nowMs - Number(ago?.[1]) * unit;
  // A date alone is midnight here, as people mean it.
  const time = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text);
  if (!Number.isNaN(time)) return time;
  throw usage(`${option} ${JSON.stringify(text)} is no time; write 30m, 2h, 7d, 2026-11-15 or 2026-11-15T10:30`);
}

function verdictOf(word: string | undefined): AuditFilter["verdict"] | undefined {
  const verdict = [...VERDICTS, "none" as const].find((each) => each === word);
  if (word === undefined || verdict !== undefined) return verdict;
  throw usage(`--verdict ${JSON.stringify(word)} is not one of ${VERDICTS.join(", ")}, none`);
}

function oneOf(word: string | undefined, known: readonly string[], option: string): string | undefined {
  if (word === undefined || known.includes(word)) return word;
  throw usage(`${option} ${JSON.stringify(word)} is not one of ${known.join(", ")}`);
}

function usage(message: string): SnaphookError {
  return new SnaphookError("SNAP_USAGE", { message });
}
