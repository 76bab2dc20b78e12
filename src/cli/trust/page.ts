/** What will be trusted, for people and for programs. */
import { ENTRY_KINDS } from "../../trust/entry.ts";
import type { Content } from "../../trust/content.ts";
import { sourceText } from "../../model/source.ts";
import type { Surface } from "../command.ts";
import { painter, type Paint } from "../render/colour.ts";
import { shortPath, type Folders } from "../render/paths.ts";
import { counted, oneLine, shorten, wrap } from "../render/text.ts";

/** How a page is laid out. */
export interface TrustPage {
  readonly folders: Folders;
  readonly terminal: Surface["terminal"];
}

/** First lines of a script that are shown; the whole is a file away. */
const SHOWN_LINES = 6;
const MARGIN = "    ";

/** Each entry with its place, its files and their first lines. */
export function contentsText(contents: readonly Content[], page: TrustPage): string {
  const paint = painter(page.terminal.colour);
  return contents.map((content) => `${contentLines(content, page, paint).join("\n")}\n`).join("\n");
}

function contentLines({ entry, files, texts, programs, open, missing, refused }: Content, { folders, terminal }: TrustPage, paint: Paint): readonly string[] {
  const width = terminal.columns - MARGIN.length;
  const place = entry.source ? sourceText({ ...entry.source, file: shortPath(entry.source.file, folders) }) : "";
  const about = entry.kind === "hook" ? `  ${entry.about}` : "";
  const head = `  ${paint("bold", ENTRY_KINDS[entry.kind])}${about}  ${paint("dim", place)}`;
  const found = programs.map(({ name, path }) => (name === path ? path : name.includes("/") ? `${name} (${path})` : path)).join(", ");
  return [
    head,
    ...wrap(oneLine(entry.label), width).map((line) => MARGIN + line),
    ...(found === "" ? [] : wrap(`started with ${found}`, width).map((line) => MARGIN + paint("dim", line))),
    ...files.flatMap(({ path, size }) => [`${MARGIN}${path}  ${paint("dim", counted(size, "byte"))}`, ...firstLines(texts.get(path), width, paint)]),
    ...missing.map((word) => `${MARGIN}${paint("yellow", "not there")}: ${oneLine(word)}; once it is, this counts as changed`),
    ...open.map((word) => `${MARGIN}${paint("yellow", "not covered")}: ${oneLine(word)} is filled in when it runs`),
    ...(refused === null ? [] : wrap(`cannot be trusted: ${refused}`, width).map((line) => MARGIN + paint("red", line))),
  ];
}

function firstLines(text: string | undefined, width: number, paint: Paint): readonly string[] {
  if (text === undefined) return [`${MARGIN}${paint("dim", "│ (no text, or too long to show)")}`];
  const lines = text.split("\n").filter((line, index, all) => line !== "" || index < all.length - 1);
  const more = lines.length - SHOWN_LINES;
  return [
    ...lines.slice(0, SHOWN_LINES).map((line) => `${MARGIN}${paint("dim", "│")} ${shorten(oneLine(line), width - 2)}`),
    ...(more > 0 ? [`${MARGIN}${paint("dim", `│ … ${counted(more, "more line")}`)}`] : []),
  ];
}

/** One entry as `--json` writes it. */
export function contentJson({ entry, hash, spec, files, programs, open, missing, refused }: Content): object {
  return { kind: entry.kind, label: entry.label, about: entry.about, source: entry.source, hash, refused, open, missing, files, programs, spec };
}
