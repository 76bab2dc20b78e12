/** JSON with comments and trailing commas. */
import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { DocNode, ParsedDocument, Position, Scalar } from "./node.ts";
import { lineIndex } from "./lines.ts";

/** Deeper than this is no configuration but an attack on the stack. */
const LIMIT_DEPTH = 256;

/** Parses JSON as people write it. */
export function parseJsonDocument(text: string): ParsedDocument {
  const positionAt = lineIndex(text);
  const errors: ParseError[] = [];
  if (nesting(text) > LIMIT_DEPTH) return { kind: "broken", message: `it is nested deeper than ${LIMIT_DEPTH} levels`, at: { line: 1, column: 1 } };
  const tree = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: false });
  const [first] = errors;
  if (first) return { kind: "broken", message: errorText(first), at: positionAt(first.offset) };
  if (!tree) return { kind: "broken", message: "the file is empty", at: { line: 1, column: 1 } };
  return { kind: "parsed", root: convert(tree, positionAt) };
}

function convert(node: Node, positionAt: (offset: number) => Position): DocNode {
  const at = positionAt(node.offset);
  const children = node.children ?? [];
  if (node.type === "array") return { kind: "list", at, items: children.map((child) => convert(child, positionAt)) };
  if (node.type !== "object") return { kind: "scalar", at, value: scalarOf(node.value) };
  const entries = children.flatMap(({ children: [key, value] = [] }) =>
    key && value ? [{ key: String(key.value), at: positionAt(key.offset), value: convert(value, positionAt) }] : [],
  );
  return { kind: "object", at, entries };
}

function scalarOf(value: unknown): Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** `CloseBraceExpected` → "close brace expected". */
function errorText({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

/** The deepest nesting, counted without recursion and without regard to strings: an upper bound. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth = Math.max(0, depth - 1);
  }
  return deepest;
}
