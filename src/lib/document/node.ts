/** A parsed configuration document that remembers where everything stood. */

/** Lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A value without parts. */
export type Scalar = string | number | boolean | null;

/** A value with its place. */
export type DocNode =
  | { readonly kind: "object"; readonly at: Position; readonly entries: readonly DocEntry[] }
  | { readonly kind: "list"; readonly at: Position; readonly items: readonly DocNode[] }
  | { readonly kind: "scalar"; readonly at: Position; readonly value: Scalar };

/** One key of an object with its value. */
export interface DocEntry {
  readonly key: string;
  readonly at: Position;
  readonly value: DocNode;
}

/** A document, or where it stopped making sense. */
export type ParsedDocument = { readonly kind: "parsed"; readonly root: DocNode } | { readonly kind: "broken"; readonly message: string; readonly at: Position };

/** The plain value. Of a key that stands twice the last one counts, as everywhere. */
export function plainValue(node: DocNode): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(plainValue);
    case "object": {
      const object = {};
      for (const { key, value } of node.entries) {
        Object.defineProperty(object, key, { value: plainValue(value), enumerable: true, configurable: true, writable: true });
      }
      return object;
    }
  }
}

/** The entry of a key; of two, the last. */
export function entryOf(node: DocNode, key: string): DocEntry | undefined {
  return node.kind === "object" ? node.entries.findLast((entry) => entry.key === key) : undefined;
}

/** What a node is, in words for a message. */
export function kindOf(node: DocNode): string {
  if (node.kind === "object") return "an object";
  if (node.kind === "list") return "a list";
  if (node.value === null) return "null";
  return typeof node.value === "string" ? "text" : `a ${typeof node.value}`;
}
