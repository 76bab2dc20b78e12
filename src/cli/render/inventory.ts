/** The inventory of hooks, for people and for programs. */
import type { Configuration } from "../../config/load.ts";
import type { HookState, InventoryRow } from "../../lint/inventory.ts";
import { EVENTS, type EventName } from "../../model/events.ts";
import { policyText } from "../../model/failure.ts";
import { isWarm, matcherText, type Hook } from "../../model/hook.ts";
import type { Layer } from "../../model/layer.ts";
import { NOTICES } from "../../model/notice.ts";
import { sourceText } from "../../model/source.ts";
import type { RecentRuns, RunsOf } from "../audit/recent.ts";
import { numberText } from "../audit/search.ts";
import type { Surface } from "../command.ts";
import { durationText } from "../repl/numbers.ts";
import { painter, type Paint } from "./colour.ts";
import { alignColumns, widest } from "./columns.ts";
import { shortPath, shortPaths, type Folders } from "./paths.ts";
import { counted, oneLine, shorten, widthOf, wrap } from "./text.ts";

interface Page {
  readonly folders: Folders;
  readonly terminal: Surface["terminal"];
  readonly configuration: Configuration;
  /** How hooks did of late; null, or absent: nobody knows. */
  readonly runsOf?: RunsOf | null;
}

/** Why hooks of a layer may run. */
const TRUST: { readonly [layer in Layer]: string } = {
  managed: "managed",
  user: "user",
  project: "trusted",
  local: "trusted",
  plugin: "trusted",
  run: "named",
};

/** One hook as `--json` writes it. */
export function inventoryJson({ state, hook, wireName, layer, source, reason }: InventoryRow): object {
  return {
    state,
    armed: state === "armed",
    reason,
    event: wireName,
    events: hook?.events ?? [],
    name: hook?.name ?? null,
    dialect: hook?.dialect ?? null,
    type: hook?.action.type ?? null,
    worker: hook !== null && isWarm(hook.action),
    source,
    layer: source === null ? "built-in" : layer,
    trust: trustOf({ state, hook, layer, source }),
    matcher: hook ? matcherText(hook.matcher) : null,
    if: hook?.condition ?? null,
    timeoutMs: hook?.timeoutMs ?? null,
    onFault: hook?.onFault ?? null,
    once: hook?.once ?? false,
    async: hook?.async ?? false,
    sandbox: hook?.sandbox.level ?? null,
    plugin: hook?.plugin?.name ?? null,
  };
}

/** The inventory as tables, one a state: one line a hook where the terminal is wide enough, else two. */
export function inventoryText(rows: readonly InventoryRow[], page: Page): string {
  const paint = painter(page.terminal.colour);
  const sections = SECTIONS.flatMap(({ state, title, advice }) => {
    const found = inEventOrder(rows.filter((row) => row.state === state));
    if (found.length === 0 && state !== "armed") return [];
    const head = paint("bold", `${title} ${found.length}${state === "armed" ? ` of ${rows.length}` : ""}`);
    return [...(state === "armed" ? [] : [""]), ...folded(`${head}${advice}`, page.terminal.columns, ""), ...tableLines(found, page, paint)];
  });
  return [...sections, ...closing(page, paint), ""].join("\n");
}

/** The states in the order of the page, and what to do about each. */
const SECTIONS: readonly { readonly state: HookState; readonly title: string; readonly advice: string }[] = [
  { state: "armed", title: "ARMED", advice: "" },
  { state: "untrusted", title: "NOT TRUSTED", advice: ": they come with this folder. `snaphook trust` lets them run, --trust once" },
  { state: "changed", title: "CHANGED", advice: " since they were trusted: `snaphook trust --review` shows what, `snaphook trust` approves it" },
  { state: "refused", title: "REFUSED", advice: "" },
  { state: "overruled", title: "OVERRULED", advice: " by settings above them" },
  { state: "disabled", title: "SWITCHED OFF", advice: " (enabled: false)" },
  { state: "repeated", title: "REPEATED", advice: ": the same hook is armed from another file" },
  { state: "broken", title: "BROKEN", advice: "" },
];

/** A name is not cut below this width to save a line. */
const NAME_WIDTH = 24;
const INDENT = "    ";
const TITLES = ["event", "hook", "dialect", "from", "layer"];
const RUNS_TITLES = ["last 24 h", "p50", "p95"];

interface Line {
  readonly event: string;
  readonly name: string;
  readonly dialect: string;
  /** Place and layer. */
  readonly rest: readonly string[];
  /** Runs of the last day and their times; none where no log tells. */
  readonly runs: readonly string[];
  readonly limits: string;
  readonly reason: string;
}

function tableLines(rows: readonly InventoryRow[], page: Page, paint: Paint): readonly string[] {
  const lines = alike(rows).map(({ row, count }) => lineOf(row, count, page));
  const { columns } = page.terminal;
  const nameWidth = Math.max(0, ...lines.map(({ name }) => widthOf(name)));
  const titles = [...TITLES, ...(lines.some(({ runs }) => runs.length > 0) ? RUNS_TITLES : []), "limits"];
  const aligned = (width: number, whole: boolean): readonly string[] =>
    alignColumns([
      ...(whole ? [titles.map((title) => paint("dim", title))] : []),
      ...lines.map(({ event, name, dialect, rest, runs, limits }) => [event, shorten(name, width), dialect, ...(whole ? [...rest, ...runs, limits] : [])]),
    ]);
  const spare = columns - widest(aligned(0, true)) + 1;
  if (spare >= Math.min(nameWidth, NAME_WIDTH) && lines.every(({ reason }) => reason === ""))
    return lines.length === 0 ? [] : aligned(Math.max(spare, NAME_WIDTH), true);
  const heads = aligned(Math.max(columns - widest(aligned(0, false)) + 1, NAME_WIDTH), false);
  return lines.flatMap(({ rest, runs, limits, reason }, index) => [
    heads[index] ?? "",
    ...[[...rest, limits].filter((cell) => cell !== "").join("  "), runsText(runs)]
      .filter((text) => text !== "")
      .flatMap((text) => folded(text, columns, INDENT).map((line) => paint("dim", line))),
    ...(reason === "" ? [] : folded(reason, columns, INDENT)),
  ]);
}

/** States whose reason differs from hook to hook. */
const OWN_REASON: readonly HookState[] = ["broken", "repeated", "changed", "refused", "overruled"];

function lineOf(row: InventoryRow, count: number, page: Page): Line {
  const { hook } = row;
  const ownReason = OWN_REASON.includes(row.state);
  return {
    event: eventText(row),
    name: hook ? oneLine(hook.name) : counted(count, "hook"),
    dialect: hook?.dialect ?? "",
    rest: [place(row, page), layerText(row)],
    runs: row.state === "armed" ? runCells(page.runsOf?.(row) ?? null) : [],
    limits: details(hook),
    reason: ownReason ? `not armed: ${oneLine(shortPaths(row.reason ?? "", page.folders))}` : "",
  };
}

function runCells(recent: RecentRuns | null): readonly string[] {
  if (!recent) return [];
  const time = (milliseconds: number | null): string => (milliseconds === null ? "" : durationText(milliseconds));
  return [`${numberText(recent.runs)}${recent.faults > 0 ? `, ${numberText(recent.faults)} failed` : ""}`, time(recent.p50Ms), time(recent.p95Ms)];
}

/** The same in words, where there are no columns. */
function runsText([runs, p50, p95]: readonly string[]): string {
  if (runs === undefined) return "";
  return `last 24 h: ${runs}${p50 === "" ? "" : `, p50 ${p50}, p95 ${p95}`}`;
}

/** What could not be read as hooks, for the same reason at the same place, stands together. */
function alike(rows: readonly InventoryRow[]): readonly { readonly row: InventoryRow; readonly count: number }[] {
  const groups = new Map<string, { row: InventoryRow; count: number }>();
  for (const [index, row] of rows.entries()) {
    const key = row.hook ? String(index) : JSON.stringify([row.wireName, row.reason, row.source]);
    groups.set(key, { row, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}

/** By event; within an event in the order in which the hooks run. */
function inEventOrder(rows: readonly InventoryRow[]): readonly InventoryRow[] {
  const events = Object.keys(EVENTS);
  const rank = ({ hook }: InventoryRow): number => (hook ? events.indexOf(hook.events[0] ?? "") : events.length);
  return rows.toSorted((left, right) => rank(left) - rank(right));
}

/** Files that can't be read come first among what else is wrong; the rest is `lint`'s to tell. */
function closing({ configuration, folders }: Page, paint: Paint): readonly string[] {
  const unreadable = configuration.notices.filter(({ kind }) => kind === "unreadable-file");
  const findings = configuration.notices.filter(({ kind }) => NOTICES[kind] !== "info");
  const lines = unreadable.map(
    ({ file = "", line = 1, column = 1, message }) =>
      `${shortPath(file, folders)}:${line}:${column}  ${paint("red", "error")}  ${oneLine(shortPaths(message, folders))}`,
  );
  return [
    ...(lines.length > 0 ? ["", ...lines] : []),
    ...(findings.length > 0 ? ["", `${counted(findings.length, "finding")} in these files: \`snaphook lint\` tells where and what to do.`] : []),
  ];
}

function folded(text: string, columns: number, indent: string): readonly string[] {
  return wrap(text, Math.max(columns - indent.length, NAME_WIDTH)).map((line) => `${indent}${line}`);
}

function place({ source }: InventoryRow, { folders }: Pick<Page, "folders">): string {
  return source ? sourceText({ ...source, file: shortPath(source.file, folders) }) : "built in";
}

/** `tool.after, .failed`: one wire event may stand for two. */
function eventText({ hook, wireName }: InventoryRow): string {
  const [first, ...more]: readonly EventName[] = hook?.events ?? [];
  if (first === undefined) return oneLine(wireName);
  const noun = first.split(".")[0] ?? first;
  return [first, ...more.map((name) => (name.startsWith(`${noun}.`) ? name.slice(noun.length) : name))].join(", ");
}

function layerText(row: InventoryRow): string {
  if (row.source === null) return "";
  const trust = trustOf(row);
  return trust === null || trust === row.layer ? row.layer : `${row.layer}, ${trust}`;
}

function trustOf({ state, hook, layer, source }: Pick<InventoryRow, "state" | "hook" | "layer" | "source">): string | null {
  if (source === null) return "built-in";
  if (hook === null || state === "disabled") return null;
  return LEFT_OUT.includes(state) ? state : TRUST[layer];
}

const LEFT_OUT: readonly HookState[] = ["untrusted", "changed", "refused", "overruled"];

function details(hook: Hook | null): string {
  if (!hook) return "";
  const matcher = matcherText(hook.matcher);
  const parts = [
    hook.action.type === "command" ? (isWarm(hook.action) ? "worker" : "") : hook.action.type,
    matcher === null ? "" : `matcher ${oneLine(matcher)}`,
    hook.condition === null ? "" : `if ${oneLine(hook.condition)}`,
    limitText(hook.timeoutMs),
    `onFault ${policyText(hook.onFault)}`,
    hook.once ? "once" : "",
    hook.async ? "async" : "",
    hook.sandbox.level === "none" ? "" : `sandbox ${hook.sandbox.level}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function limitText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds}ms`;
  return milliseconds % 60_000 === 0 && milliseconds >= 120_000 ? `${milliseconds / 60_000}m` : `${milliseconds / 1_000}s`;
}
