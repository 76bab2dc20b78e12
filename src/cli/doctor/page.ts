/** What the doctor found, for people and for programs. */
import { sep } from "node:path";
import type { InventoryRow } from "../../lint/inventory.ts";
import type { Probed } from "../../lint/probe.ts";
import { sourceText } from "../../model/source.ts";
import type { Surface } from "../command.ts";
import { painter, type Colour, type Paint } from "../render/colour.ts";
import { inventoryJson } from "../render/inventory.ts";
import { shortPath, shortPaths, type Folders } from "../render/paths.ts";
import { counted, oneLine, pad, wrap } from "../render/text.ts";
import { layTable, type TableRow } from "../why/table.ts";
import type { Finding, Health } from "./surroundings.ts";

/** A hook, whether it could run, and what is odd about it. */
export interface ExaminedHook extends Probed {
  readonly row: InventoryRow;
}

/** Everything that was looked at. */
export interface DoctorReport {
  readonly hooks: readonly ExaminedHook[];
  readonly found: readonly (Finding & { readonly name: string })[];
  /** Hooks that are not meant to run. */
  readonly aside: readonly InventoryRow[];
}

/** The report as `--json` writes it. */
export function doctorJson({ hooks, found, aside }: DoctorReport): object {
  return {
    armed: hooks.filter(isArmed).length,
    total: hooks.length,
    hooks: hooks.map((hook) => ({ ...inventoryJson(hook.row), armed: isArmed(hook), reason: hook.reason, remarks: hook.remarks })),
    aside: aside.map(inventoryJson),
    surroundings: Object.fromEntries(found.map(({ name, health, text, more = [] }) => [name, { health, text, more }])),
  };
}

interface Page {
  readonly folders: Folders;
  readonly terminal: Surface["terminal"];
}

const MARGIN = 5;
const WIDEST = 160;
const NARROWEST = 48;
const LIMIT_ROWS = 200;

/** The report as a page: the answer, every hook, then what they rest on. */
export function doctorText(report: DoctorReport, { folders, terminal }: Page): string {
  const paint = painter(terminal.colour);
  const width = Math.min(Math.max(terminal.columns, NARROWEST), WIDEST) - MARGIN;
  const blocks = [answer(report, folders, paint), hookLines(report, { folders, width, paint }), foundLines(report, { folders, width, paint })];
  return ["", ...blocks.flatMap((block) => (block.length > 0 ? [...block, ""] : []))].join("\n");
}

interface Drawing {
  readonly folders: Folders;
  readonly width: number;
  readonly paint: Paint;
}

function isArmed({ reason }: ExaminedHook): boolean {
  return reason === null;
}

function answer({ hooks, found, aside }: DoctorReport, { cwd, home }: Folders, paint: Paint): readonly string[] {
  const armed = hooks.filter(isArmed).length;
  const bad = found.filter(({ health }) => health === "bad").length;
  const well = armed === hooks.length && bad === 0;
  const head = paint("bold", paint(well ? "green" : "red", hooks.length === 0 ? "NO HOOKS" : `ARMED ${armed} of ${hooks.length}`));
  const off = aside.length > 0 ? `, ${counted(aside.length, "hook")} switched off or repeated` : "";
  const wrong = bad > 0 ? `, ${bad} of what they rest on ${bad === 1 ? "is" : "are"} wrong` : "";
  return [`  ${head}  ${paint("dim", `${shortPaths(cwd, { cwd: sep, home })}${off}`)}${wrong}`];
}

/** Those that are not armed come first. */
function hookLines({ hooks }: DoctorReport, { folders, width, paint }: Drawing): readonly string[] {
  const sorted = [...hooks.filter((hook) => !isArmed(hook)), ...hooks.filter(isArmed)];
  const rows = sorted.map(({ row, reason, remarks }): TableRow => {
    const { hook, source, wireName } = row;
    const told = [...(reason === null ? [] : [`not armed: ${reason}`]), ...remarks.map((remark) => `but: ${remark}`)];
    return {
      cells: [
        reason === null ? paint("green", "armed") : paint("red", row.state === "armed" ? "broken" : row.state),
        hook?.events[0] ?? oneLine(wireName),
        hook ? oneLine(hook.name) : "",
        hook?.dialect ?? "",
      ],
      place: source ? paint("dim", sourceText({ ...source, file: shortPath(source.file, folders) })) : paint("dim", "built in"),
      below: told.map((text) => oneLine(shortPaths(text, folders))),
    };
  });
  return indented(layTable(rows, { width, flexible: 2, under: 2, limitRows: LIMIT_ROWS }));
}

/** The word for each health, and its colour. */
const LOOKS: { readonly [health in Health]: { readonly word: string; readonly colour: Colour } } = {
  fine: { word: "ok", colour: "green" },
  odd: { word: "look", colour: "yellow" },
  bad: { word: "wrong", colour: "red" },
  off: { word: "–", colour: "dim" },
};

function foundLines({ found }: DoctorReport, { folders, width, paint }: Drawing): readonly string[] {
  const nameWidth = Math.max(...found.map(({ name }) => name.length));
  const wordWidth = Math.max(...Object.values(LOOKS).map(({ word }) => word.length));
  const indent = wordWidth + nameWidth + 4;
  const lines = found.flatMap(({ name, health, text, more = [] }) => {
    const { word, colour } = LOOKS[health];
    const [first = "", ...rest] = [text, ...more].flatMap((line, index) =>
      wrap(oneLine(shortPaths(line, folders)), Math.max(width - indent, NARROWEST - indent)).map((part) => (index === 0 ? part : paint("dim", part))),
    );
    return [`${pad(paint(colour, word), wordWidth)}  ${pad(name, nameWidth)}  ${first}`, ...rest.map((part) => `${" ".repeat(indent)}${part}`)];
  });
  return [`  ${paint("bold", "They rest on")}`, ...indented(lines)];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${" ".repeat(MARGIN)}${line}`);
}
