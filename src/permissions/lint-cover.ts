import type { Rule } from "../model/rule.ts";
import { VERDICTS } from "../model/verdict.ts";
import { findCommands, indexCommands, type CommandIndex, type Indexed } from "./command-index.ts";
import { commandPattern } from "./glob.ts";
import { findPaths, indexPaths, type PathIndex } from "./path-index.ts";
import { pathPatterns, type PathPattern, type Segment } from "./path-pattern.ts";
import type { ParsedRule } from "./rules.ts";

/** A rule that another makes useless. */
export interface Covering {
  readonly rule: Rule;
  readonly by: Rule;
}

interface Read {
  readonly rule: Rule;
  readonly parsed: ParsedRule;
}

interface Item extends Indexed, Read {}

interface Indexes {
  readonly any: readonly Item[];
  readonly texts: CommandIndex<Item>;
  readonly paths: PathIndex<Item>;
}

/** Stands for a star when one pattern is tested by another: only a star can match it. */
const STAR = "\uE000";
const FILE_TOOLS: ReadonlySet<string> = new Set(["read", "write", "edit"]);
const ANCHORS = { absolute: "", root: "\uE001", home: "\uE002", anything: "\uE003" } as const;

/** For each rule the first other rule of the same or a stricter list that matches all it matches. */
export function coverage(read: readonly Read[]): readonly Covering[] {
  const items = read.map((one, order): Item => ({ ...one, order }));
  const byTool = new Map<string, Item[]>();
  for (const item of items) {
    const key = `${item.rule.verdict} ${item.parsed.tool}`;
    const list = byTool.get(key) ?? [];
    list.push(item);
    byTool.set(key, list);
  }
  const indexes = new Map([...byTool].map(([key, list]): [string, Indexes] => [key, indexesOf(list)]));
  return items.flatMap((item) => {
    const strictness = VERDICTS.indexOf(item.rule.verdict);
    for (const verdict of VERDICTS.slice(strictness)) {
      const found = coveredBy(item, indexes.get(`${verdict} ${item.parsed.tool}`));
      if (found) return [{ rule: item.rule, by: found.rule }];
    }
    return [];
  });
}

function indexesOf(items: readonly Item[]): Indexes {
  const patterned = items.flatMap((item) => {
    const text = patternOf(item);
    return text === null ? [] : [{ text, item }];
  });
  return {
    any: items.filter((item) => patternOf(item) === null),
    texts: indexCommands(patterned),
    paths: indexPaths(
      patterned
        .filter(({ item }) => FILE_TOOLS.has(item.parsed.tool))
        .flatMap(({ text, item }) => pathPatterns(text).map((pattern) => ({ segments: anchored(pattern), item }))),
    ),
  };
}

/** The pattern, or null where every call of the tool is meant. */
function patternOf({ parsed: { pattern } }: Read): string | null {
  return pattern === "*" || pattern === ":*" ? null : pattern;
}

/** The first other rule that covers the item; of two equal rules only the later is reported. */
function coveredBy(item: Item, indexes: Indexes | undefined): Item | undefined {
  if (indexes === undefined) return undefined;
  let first: Item | undefined;
  const keep = (other: Item): void => {
    if (other.order === item.order || (first && first.order < other.order)) return;
    if (other.rule.verdict === item.rule.verdict && other.order > item.order && patternOf(item) === patternOf(other)) return;
    first = other;
  };
  for (const other of indexes.any) keep(other);
  const pattern = patternOf(item);
  if (pattern === null) return first;
  if (FILE_TOOLS.has(item.parsed.tool)) coveringPaths(pathPatterns(pattern), indexes.paths, keep);
  else findCommands(indexes.texts, sampleText(pattern), keep);
  return first;
}

function sampleText(pattern: string): string {
  const { chunks, boundary } = commandPattern(pattern);
  return chunks.join(STAR) + (boundary ? ` ${STAR}` : "");
}

function coveringPaths(patterns: readonly PathPattern[], index: PathIndex<Item>, keep: (item: Item) => void): void {
  const covering = patterns.map((pattern) => {
    const found = new Set<Item>();
    findPaths(index, `/${anchored(pattern).map(sampleSegment).join("/")}`, { covers: false, recursive: false }, (item) => found.add(item));
    return found;
  });
  for (const item of new Set(covering.flatMap((found) => [...found]))) if (covering.every((found) => found.has(item))) keep(item);
}

function anchored({ anchor, segments }: PathPattern): readonly Segment[] {
  return anchor === "absolute" ? segments : [{ kind: "name", name: ANCHORS[anchor] }, ...segments];
}

function sampleSegment(segment: Segment): string {
  switch (segment.kind) {
    case "name":
      return segment.name;
    case "glob":
      return segment.chunks.join(STAR);
    case "deep":
      return `${STAR}/${STAR}`;
  }
}
