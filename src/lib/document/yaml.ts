/** YAML 1.2, with merge keys and anchors. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Alias, type Document, type Node, type Pair } from "yaml";
import type { DocEntry, DocNode, ParsedDocument, Position, Scalar } from "./node.ts";

/** How many nodes may come out of a document: anchors can make a small file enormous. */
const LIMIT_NODES = 100_000;

/** Parses YAML. */
export function parseYamlDocument(text: string): ParsedDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, merge: true, prettyErrors: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const [first] = document.errors;
  if (first) return { kind: "broken", message: first.message, at: positionAt(first.pos[0]) };
  const start = { line: 1, column: 1 };
  try {
    const convert = converter(document, positionAt);
    return { kind: "parsed", root: document.contents ? convert(document.contents, start) : { kind: "object", at: start, entries: [] } };
  } catch (error) {
    if (error instanceof TooLarge) return { kind: "broken", message: `its anchors unfold to more than ${LIMIT_NODES} values`, at: start };
    throw error;
  }
}

class TooLarge extends Error {}

function converter(document: Document, positionAt: (offset: number) => Position): (node: Node, fallback: Position) => DocNode {
  let left = LIMIT_NODES;
  // An alias looks through the whole document for its anchor: once is enough.
  const anchors = new Map<Alias, Node | undefined>();
  const resolved = (alias: Alias): Node | undefined => {
    if (!anchors.has(alias)) anchors.set(alias, alias.resolve(document));
    return anchors.get(alias);
  };
  const convert = (node: unknown, fallback: Position): DocNode => {
    if (--left < 0) throw new TooLarge();
    if (isAlias(node)) return convert(resolved(node), placeOf(node, fallback));
    const at = placeOf(node, fallback);
    if (isSeq(node)) return { kind: "list", at, items: node.items.map((item) => convert(item, at)) };
    if (isMap(node)) return { kind: "object", at, entries: withoutOverridden(node.items, (pair) => entries(pair, at)) };
    return { kind: "scalar", at, value: isScalar(node) ? scalarOf(node.value) : null };
  };
  const placeOf = (node: unknown, fallback: Position): Position => {
    const range = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range : null;
    return range ? positionAt(range[0]) : fallback;
  };
  const entries = ({ key, value }: Pair, at: Position): DocEntry[] => {
    const keyAt = placeOf(key, at);
    const node = convert(value, keyAt);
    if (!isMergeKey(key)) return [{ key: isScalar(key) ? String(key.value) : "", at: keyAt, value: node }];
    const merged = node.kind === "list" ? node.items : [node];
    return merged.flatMap((each) => (each.kind === "object" ? each.entries : []));
  };
  return convert;
}

/** A mapping's own keys count more than merged ones, wherever the merge stands; of two merged ones the first counts. */
function withoutOverridden(pairs: readonly Pair[], entriesOf: (pair: Pair) => readonly DocEntry[]): readonly DocEntry[] {
  const own = pairs.filter(({ key }) => !isMergeKey(key)).flatMap(entriesOf);
  const taken = new Set(own.map(({ key }) => key));
  const merged = pairs.filter(({ key }) => isMergeKey(key)).flatMap(entriesOf);
  return [...merged.filter(({ key }) => !taken.has(key) && taken.add(key)), ...own];
}

/** The parser hands out a merge key as a symbol. */
function isMergeKey(key: unknown): boolean {
  return isScalar(key) && (typeof key.value === "symbol" ? key.value.description : key.value) === "<<";
}

function scalarOf(value: unknown): Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
