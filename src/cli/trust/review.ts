/** What changed since a folder was approved, as a page. */
import { withContext, type DiffLine } from "../../lib/line-diff.ts";
import { sourceText } from "../../model/source.ts";
import type { Change } from "../../trust/approve.ts";
import type { Pair } from "../../trust/compare.ts";
import { ENTRY_KINDS } from "../../trust/entry.ts";
import { day } from "../../trust/standing.ts";
import { painter, type Colour, type Paint } from "../render/colour.ts";
import { shortPath } from "../render/paths.ts";
import { counted, oneLine } from "../render/text.ts";
import { contentJson, type TrustPage } from "./page.ts";

/** One pair with what changed in it. */
export interface Reviewed {
  readonly pair: Pair;
  readonly changes: readonly Change[];
}

const LOOKS: { readonly [kind in Pair["kind"]]: Colour } = { same: "green", changed: "yellow", new: "yellow", gone: "dim" };

/** The entries that are not as they were approved, each with its differences, and how many are. */
export function reviewText(reviewed: readonly Reviewed[], since: string | null, page: TrustPage): string {
  const paint = painter(page.terminal.colour);
  const same = reviewed.filter(({ pair }) => pair.kind === "same").length;
  const others = reviewed.filter(({ pair }) => pair.kind !== "same");
  const head =
    since === null ? `never trusted: ${counted(others.length, "thing")} would be new` : `trusted ${day(since)}: ${same} as they were, ${others.length} not`;
  return [paint("bold", head), ...others.flatMap((each) => ["", ...pairLines(each, page, paint)]), ""].join("\n");
}

function pairLines({ pair, changes }: Reviewed, { folders }: TrustPage, paint: Paint): readonly string[] {
  const { kind, present, approved } = pair;
  const entry = pair.present ? pair.present.entry : pair.approved;
  const source = present?.entry.source;
  const place = source ? sourceText({ ...source, file: shortPath(source.file, folders) }) : (approved?.from ?? "");
  const when = approved ? `  approved ${day(approved.at)}` : "";
  return [
    `${paint(LOOKS[kind], kind)}  ${ENTRY_KINDS[entry.kind]}  ${oneLine(entry.label)}  ${paint("dim", place)}${when}`,
    ...changes.flatMap(({ what, lines }) => [
      `  ${paint("cyan", what)}`,
      ...(lines === null ? ["    its content changed; no copy of the approved text was kept"] : withContext(lines, 2).map((line) => diffLine(line, paint))),
    ]),
    ...(present && present.refused !== null ? [`  ${paint("red", `cannot be trusted: ${present.refused}`)}`] : []),
  ];
}

const SIGNS: { readonly [kind in DiffLine["kind"]]: { readonly sign: string; readonly colour: Colour } } = {
  same: { sign: " ", colour: "dim" },
  gone: { sign: "-", colour: "red" },
  new: { sign: "+", colour: "green" },
};

function diffLine(line: DiffLine | null, paint: Paint): string {
  if (line === null) return `    ${paint("dim", "…")}`;
  const { sign, colour } = SIGNS[line.kind];
  return `    ${paint(colour, `${sign} ${oneLine(line.text)}`)}`;
}

/** The review as `--json` writes it. */
export function reviewJson(reviewed: readonly Reviewed[], { folder, since }: { readonly folder: string; readonly since: string | null }): object {
  return {
    folder,
    approvedAt: since,
    entries: reviewed.map(({ pair, changes }) => ({
      state: pair.kind,
      ...(pair.present ? contentJson(pair.present) : { kind: pair.approved?.kind, label: pair.approved?.label, about: pair.approved?.about }),
      approved: pair.approved && { hash: pair.approved.hash, at: pair.approved.at },
      changes: changes.map(({ what, lines }) => ({ what, lines })),
    })),
  };
}
