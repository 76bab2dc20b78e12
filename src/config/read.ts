/** One configuration file → hooks, rules and notices. A bad entry is reported and costs nothing but itself [F3]. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Dialect } from "../dialects/dialect.ts";
import { messageOf } from "../lib/errors.ts";
import { lookup } from "../lib/json.ts";
import { nearest } from "../lib/nearest.ts";
import { entryOf, kindOf, type DocEntry, type DocNode, type Position } from "../lib/document/node.ts";
import { formatOf, parseDocument } from "../lib/document/parse.ts";
import type { Hook } from "../model/hook.ts";
import { noticeAt, type Notice } from "../model/notice.ts";
import type { Mode, Rule } from "../model/rule.ts";
import { armHook } from "./arm.ts";
import type { Report } from "./entry.ts";
import { EVENT_TIMEOUT, readEventTimeout } from "./event-timeout.ts";
import { readPermissions } from "./permissions.ts";
import { SHAPES } from "./shapes/index.ts";
import { sniffDialects } from "./sniff.ts";
import type { ConfigSource } from "./source.ts";
import { readSwitches, SWITCHES, type Switches } from "./switches.ts";
import { isOwn, OWN_TERMS, readTerms, TERMS, type Terms } from "./terms.ts";

/** One entry of a hook list: the hooks that came of it, and what was said while it was read. */
export interface ReadEntry {
  readonly wireName: string;
  readonly at: Position;
  /** How many hooks it was meant to be. */
  readonly meant: number;
  readonly hooks: readonly { readonly hook: Hook; readonly matcherAt: Position }[];
  readonly notices: readonly Notice[];
}

/** What one file says. */
export interface ConfigFile {
  readonly source: ConfigSource;
  readonly hooks: readonly Hook[];
  /** Hooks that are switched off in the file. */
  readonly disabled: readonly Hook[];
  /** Everything that stands under `hooks`, armed or not. */
  readonly entries: readonly ReadEntry[];
  readonly rules: readonly Rule[];
  readonly mode: Mode | null;
  readonly switches: Switches;
  /** `eventTimeout` of the file. */
  readonly eventTimeoutMs: number | null;
  readonly terms: Terms;
  readonly notices: readonly Notice[];
  /** The file could not be read or parsed at all. */
  readonly broken: boolean;
  /** The dialects that have a say in it. */
  readonly speaks: readonly string[];
}

/** Reads one file. Never rejects for what the file holds. */
export async function readConfigFile(source: ConfigSource): Promise<ConfigFile> {
  let text: string;
  try {
    text = await readFile(source.path, "utf8");
  } catch (error) {
    const notice = { kind: "unreadable-file", message: `${source.path} can't be read: ${messageOf(error)}` } as const;
    return { ...nothingIn(source), notices: [noticeAt({ file: source.path, line: 1, column: 1 }, notice)], broken: true };
  }
  return readConfigText(source, text);
}

/** Reads what stands, or would stand, in a file. */
export async function readConfigText(source: ConfigSource, text: string): Promise<ConfigFile> {
  const notices: Notice[] = [];
  const report: Report = (at, notice) => void notices.push(noticeAt({ file: source.path, ...at }, notice));
  const nothing = nothingIn(source);
  const document = await parseDocument(text, formatOf(source.path));
  if (document.kind === "broken") {
    report(document.at, { kind: "unreadable-file", message: `${source.path} can't be parsed: ${document.message}; nothing in it is armed` });
    return { ...nothing, notices, broken: true };
  }
  if (document.root.kind !== "object") {
    report(document.root.at, { kind: "wrong-type", message: `${source.path} holds ${kindOf(document.root)}, not an object with "hooks"` });
    return { ...nothing, notices, broken: false };
  }
  const told = source.dialects.length > 0 ? source : { ...source, dialects: sniffDialects(document.root) };
  reportRootKeys(document.root, told, report);
  const { armed, disabled, entries } = await readHooks(document.root, told, report);
  const permissions = readPermissions(document.root, source, report);
  const speaks = [...new Set([...told.dialects.filter((_, __, all) => all.length === 1).map((dialect) => dialect.id), ...armed.map((hook) => hook.dialect)])];
  const switches = readSwitches(document.root, source, report);
  const eventTimeoutMs = readEventTimeout(document.root, told, report);
  const terms = readTerms(document.root, told, report);
  return { source: told, hooks: armed, disabled, entries, ...permissions, switches, eventTimeoutMs, terms, notices, broken: false, speaks };
}

/** A file that is not read, and why. */
export function unreadFile(source: ConfigSource, message: string): ConfigFile {
  const notice = noticeAt({ file: source.path, line: 1, column: 1 }, { kind: "unreadable-file", message });
  return { ...nothingIn(source), notices: [notice], broken: true };
}

function nothingIn(source: ConfigSource): Omit<ConfigFile, "notices" | "broken"> {
  return { source, hooks: [], disabled: [], entries: [], rules: [], mode: null, switches: {}, eventTimeoutMs: null, terms: {}, speaks: [] };
}

/** A misspelt "hooks" would disarm a whole file in silence. In our own files every key must be known. */
function reportRootKeys(root: DocNode, source: ConfigSource, report: Report): void {
  const strict = isOwn(source);
  const known = strict ? ROOT_KEYS : ROOT_KEYS.filter((key) => !OWN_TERMS.includes(key));
  const seen = new Set<string>();
  for (const { key, at } of root.kind === "object" ? root.entries : []) {
    if (ROOT_KEYS.includes(key)) {
      if (seen.has(key)) report(at, { kind: "duplicate-key", message: `"${key}" stands twice in the file; the last one counts, put both into one` });
      seen.add(key);
      continue;
    }
    const meant = nearest(key, known);
    if (meant !== undefined) report(at, { kind: "unknown-key", message: `unknown key "${key}", did you mean "${meant}"?  Nothing under it is armed.` });
    else if (strict) report(at, { kind: "unknown-key", message: `unknown key "${key}"; known: ${ROOT_KEYS.join(", ")}` });
  }
}

const ROOT_KEYS = ["hooks", "permissions", "$schema", EVENT_TIMEOUT, ...Object.keys(SWITCHES), ...Object.keys(TERMS)];

async function readHooks(root: DocNode, source: ConfigSource, report: Report): Promise<{ armed: Hook[]; disabled: Hook[]; entries: ReadEntry[] }> {
  const armed: Hook[] = [];
  const disabled: Hook[] = [];
  const entries: ReadEntry[] = [];
  const hooks = entryOf(root, "hooks");
  if (!hooks || (hooks.value.kind === "scalar" && hooks.value.value === null)) return { armed, disabled, entries };
  if (hooks.value.kind !== "object") {
    report(hooks.value.at, { kind: "wrong-type", message: `"hooks" in ${source.path} is ${kindOf(hooks.value)}, not an object of events` });
    return { armed, disabled, entries };
  }
  reportTwice(hooks.value.entries, report);
  for (const event of hooks.value.entries) {
    const refused = listening(report);
    for (const entry of eventEntries(event, source, refused.report)) {
      const told = listening(report);
      const read: { hook: Hook; matcherAt: Position }[] = [];
      const dialect = dialectFor(entry, event, source, told.report);
      const folder = dirname(source.path);
      const context = dialect && { dialect, report: told.report, callbackModule: join(folder, "callbacks.mjs"), folder };
      for (const draft of context ? SHAPES[context.dialect.config.shape].read(entry, context) : []) {
        const hook = dialect && (await armHook(draft, { dialect, wireName: event.key, source, report: told.report }));
        if (!hook) continue;
        read.push({ hook, matcherAt: draft.matcherAt });
        (draft.enabled ? armed : disabled).push(hook);
      }
      entries.push({ wireName: event.key, at: entry.at, meant: meantBy(entry), hooks: read, notices: told.notices });
    }
    if (refused.notices.length > 0) entries.push({ wireName: event.key, at: event.at, meant: meantUnder(event.value), hooks: [], notices: refused.notices });
  }
  return { armed, disabled, entries };
}

/** A report that also remembers what was said. */
function listening(report: Report): { readonly report: Report; readonly notices: Notice[] } {
  const notices: Notice[] = [];
  return {
    notices,
    report: (at, notice) => {
      notices.push({ ...notice, ...at });
      report(at, notice);
    },
  };
}

/** A group is as many hooks as it lists, anything else is one. */
function meantBy(entry: DocNode): number {
  const group = entryOf(entry, "hooks")?.value;
  return group?.kind === "list" ? group.items.length : 1;
}

function meantUnder(list: DocNode): number {
  return list.kind === "list" ? list.items.reduce((sum, item) => sum + meantBy(item), 0) : 1;
}

/** An event that stands twice loses nothing: both lists count. */
function reportTwice(entries: readonly DocEntry[], report: Report): void {
  const seen = new Set<string>();
  for (const { key, at } of entries) {
    if (seen.has(key)) report(at, { kind: "duplicate-key", message: `"${key}" stands twice; the hooks of both lists are armed` });
    seen.add(key);
  }
}

function eventEntries({ key, at, value }: DocEntry, { dialects }: ConfigSource, report: Report): readonly DocNode[] {
  const known = dialects.some((dialect) => lookup(dialect.events, key));
  const count = meantUnder(value);
  if (!known && dialects.some((dialect) => dialect.unfired.includes(key))) {
    report(at, {
      kind: "unfired-event",
      message: `"${key}" is an event of ${dialects.map((dialect) => dialect.title).join(" or ")} that has no counterpart here; its hooks never run`,
    });
    return [];
  }
  if (!known) {
    const meant = nearest(
      key,
      dialects.flatMap((dialect) => Object.keys(dialect.events)),
    );
    const hint = meant === undefined ? "" : `, did you mean "${meant}"?`;
    report(at, {
      kind: "unknown-event",
      message: `unknown event "${key}"${hint}  The ${count === 1 ? "hook" : `${count} hooks`} under it never run${count === 1 ? "s" : ""}.`,
    });
    return [];
  }
  if (value.kind === "list") return value.items;
  if (value.kind === "scalar" && value.value === null) return [];
  report(value.at, { kind: "wrong-type", message: `"${key}" is ${kindOf(value)}, not a list of hooks` });
  return [];
}

/** With one dialect there is no question. With several the entry's shape names it, and the event must be one of its own. */
function dialectFor(entry: DocNode, event: DocEntry, { dialects }: ConfigSource, report: Report): Dialect | undefined {
  const [only] = dialects;
  if (dialects.length === 1) return entryFits(entry, only, report);
  const fitting = dialects.filter((dialect) => SHAPES[dialect.config.shape].fits(entry));
  const dialect = fitting.find((each) => lookup(each.events, event.key));
  if (dialect) return dialect;
  const [shaped] = fitting;
  if (shaped)
    report(entry.at, {
      kind: "unknown-event",
      message: `this entry is written as ${shaped.title} writes it, and ${shaped.title} has no event "${event.key}"; it never runs`,
    });
  else
    report(entry.at, {
      kind: "wrong-type",
      message: `this entry is none of: ${dialects.map((each) => `${SHAPES[each.config.shape].wants} (${each.title})`).join(", ")}`,
    });
  return undefined;
}

function entryFits(entry: DocNode, dialect: Dialect | undefined, report: Report): Dialect | undefined {
  if (dialect?.config.shape !== "strings" || SHAPES.strings.fits(entry)) return dialect;
  report(entry.at, { kind: "wrong-type", message: `${SHAPES.strings.wants} is wanted here, not ${kindOf(entry)}` });
  return undefined;
}
