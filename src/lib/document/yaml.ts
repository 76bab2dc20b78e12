/** YAML 1.2, with merge keys and anchors. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node, type Pair } from "yaml";
import type { DocEntry, DocNode, ParsedDocument, Position, Scalar } from "./node.ts";

/** How many nodes may come out of a document: anchors can make a small file enormous. */
const LIMIT_NODES = 100_000;

export function parseYamlDocument(text: string): ParsedDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, merge: true, prettyErrors: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const [error] = document.errors;
  if (error) return { kind: "broken", message: error.message, at: positionAt(error.pos[0]) };
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
  const convert = (node: unknown, fallback: Position): DocNode => {
    if (--left < 0) throw new TooLarge();
    if (isAlias(node)) return convert(node.resolve(document), placeOf(node, fallback));
    const at = placeOf(node, fallback);
    if (isSeq(node)) return { kind: "list", at, items: node.items.map((item) => convert(item, at)) };
    if (isMap(node)) return { kind: "object", at, entries: node.items.flatMap((pair) => entries(pair, at)) };
    return { kind: "scalar", at, value: isScalar(node) ? scalarOf(node.value) : null };
  };
  const placeOf = (node: unknown, fallback: Position): Position => {
    const range = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range : null;
    return range ? positionAt(range[0]) : fallback;
  };
  const entries = ({ key, value }: Pair, at: Position): DocEntry[] => {
    const keyAt = placeOf(key, at);
    const name = isScalar(key) ? String(key.value) : "";
    const node = convert(value, keyAt);
    if (name !== "<<") return [{ key: name, at: keyAt, value: node }];
    const merged = node.kind === "list" ? node.items : [node];
    return merged.flatMap((each) => (each.kind === "object" ? each.entries : []));
  };
  return convert;
}

function scalarOf(value: unknown): Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
