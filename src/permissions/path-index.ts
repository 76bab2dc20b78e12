import { GLOB_HOLE, HOLE, SPLIT_HOLE } from "./holes.ts";
import { mayMatchText } from "./glob.ts";
import { ANY_CHARACTER, segmentFits, type PathPattern, type Segment } from "./path-pattern.ts";
import type { Indexed } from "./command-index.ts";

interface Node<T extends Indexed> {
  readonly names: Map<string, Node<T>>;
  readonly globs: Map<string, { readonly chunks: readonly string[]; readonly node: Node<T> }>;
  /** `*.ext` and `name*`, found by their literal end. */
  readonly tails: Map<string, Node<T>>;
  readonly tailLengths: Set<number>;
  deep: Node<T> | undefined;
  readonly here: T[];
}

/** Absolute path patterns as a tree of names: a lookup follows the path. */
export interface PathIndex<T extends Indexed> {
  readonly root: Node<T>;
  readonly size: number;
}

/** Builds the index of absolute patterns, given as segments. */
export function indexPaths<T extends Indexed>(patterns: readonly { readonly segments: readonly Segment[]; readonly item: T }[]): PathIndex<T> {
  const root = emptyNode<T>();
  for (const { segments, item } of patterns) {
    let node = root;
    for (const segment of segments) node = stepTo(node, segment);
    node.here.push(item);
  }
  return { root, size: patterns.length };
}

function emptyNode<T extends Indexed>(): Node<T> {
  return { names: new Map(), globs: new Map(), tails: new Map(), tailLengths: new Set(), deep: undefined, here: [] };
}

function stepTo<T extends Indexed>(node: Node<T>, segment: Segment): Node<T> {
  switch (segment.kind) {
    case "name":
      return getOrAdd(node.names, segment.name);
    case "deep":
      node.deep ??= emptyNode();
      return node.deep;
    case "glob": {
      const [first, last] = segment.chunks;
      if (segment.chunks.length === 2 && first === "" && last !== undefined && !last.includes(ANY_CHARACTER)) {
        node.tailLengths.add(last.length);
        return getOrAdd(node.tails, last);
      }
      const key = segment.chunks.join("*");
      const known = node.globs.get(key) ?? { chunks: segment.chunks, node: emptyNode<T>() };
      node.globs.set(key, known);
      return known.node;
    }
  }
}

function getOrAdd<T extends Indexed>(map: Map<string, Node<T>>, key: string): Node<T> {
  const known = map.get(key) ?? emptyNode<T>();
  map.set(key, known);
  return known;
}

type Found<T extends Indexed> = (item: T, match: "yes" | "maybe") => void;

/** How strictly a path must fit: a deny of a folder covers what is in it. */
export interface PathQuery {
  readonly covers: boolean;
  /** The whole tree below the path is used: patterns below it may match. */
  readonly recursive: boolean;
}

/** Every item whose pattern matches the path: surely, or perhaps where the path has holes or is a tree. */
export function findPaths<T extends Indexed>(index: PathIndex<T>, path: string, query: PathQuery, found: Found<T>): void {
  if (index.size === 0) return;
  // Unknown text may hold `..`: then it may lead anywhere.
  if (path.includes(HOLE) || path.includes(SPLIT_HOLE)) return everything(index.root, found);
  // The first part is the nothing before the first slash.
  visit(index.root, path === "/" ? ROOT : path.split("/"), 1, query, "yes", found);
}

const ROOT: readonly string[] = [""];

function visit<T extends Indexed>(node: Node<T>, parts: readonly string[], at: number, query: PathQuery, match: "yes" | "maybe", found: Found<T>): void {
  const ended = at >= parts.length;
  if (node.here.length > 0 && (ended || query.covers)) for (const item of node.here) found(item, match);
  if (ended) {
    if (query.covers && node.deep) for (const item of node.deep.here) found(item, match);
    if (query.recursive) everything(node, found);
    return;
  }
  if (node.deep) visitDeep(node.deep, parts, at, query, match, found);
  step(node, parts, at, query, match, found);
}

/** `**` takes any number of names, also none. */
function visitDeep<T extends Indexed>(deep: Node<T>, parts: readonly string[], at: number, query: PathQuery, match: "yes" | "maybe", found: Found<T>): void {
  for (const item of deep.here) found(item, match);
  for (let from = at; from < parts.length; from += 1) step(deep, parts, from, query, match, found);
  if (query.recursive) everything(deep, found);
}

/** From a node along one name. */
function step<T extends Indexed>(node: Node<T>, parts: readonly string[], at: number, query: PathQuery, match: "yes" | "maybe", found: Found<T>): void {
  const part = parts[at] ?? "";
  if (part.includes(GLOB_HOLE)) return visitHole(node, parts, at, query, found);
  const next = node.names.get(part);
  if (next) visit(next, parts, at + 1, query, match, found);
  if (node.tailLengths.size > 0) {
    for (const length of node.tailLengths) {
      const tail = length <= part.length ? node.tails.get(part.slice(part.length - length)) : undefined;
      if (tail) visit(tail, parts, at + 1, query, match, found);
    }
  }
  if (node.globs.size === 0) return;
  for (const glob of node.globs.values()) if (segmentFits(glob.chunks, part)) visit(glob.node, parts, at + 1, query, match, found);
}

/** A part that the shell will match against file names, where a leading dot must be written. */
function visitHole<T extends Indexed>(node: Node<T>, parts: readonly string[], at: number, query: PathQuery, found: Found<T>): void {
  const part = parts[at] ?? "";
  const next = (inner: Node<T>): void => visit(inner, parts, at + 1, query, "maybe", found);
  const undotted = part.charCodeAt(0) === GLOB_HOLE.charCodeAt(0);
  for (const [name, inner] of node.names) if (!(undotted && name.startsWith(".")) && mayFit([name], part)) next(inner);
  for (const [tail, inner] of node.tails) if (mayFit(["", tail], part)) next(inner);
  for (const { chunks, node: inner } of node.globs.values()) if (!(undotted && chunks[0]?.startsWith(".")) && mayFit(chunks, part)) next(inner);
}

function mayFit(chunks: readonly string[], part: string): boolean {
  return chunks.some((chunk) => chunk.includes(ANY_CHARACTER)) || mayMatchText({ chunks, boundary: false }, part);
}

/** All below a node is possible. */
function everything<T extends Indexed>(node: Node<T>, found: Found<T>): void {
  for (const item of node.here) found(item, "maybe");
  if (node.deep) everything(node.deep, found);
  for (const inner of node.names.values()) everything(inner, found);
  for (const inner of node.tails.values()) everything(inner, found);
  for (const { node: inner } of node.globs.values()) everything(inner, found);
}

/** The pattern's literal beginning as a path, and what follows it. */
export function literalBase(pattern: PathPattern): { readonly names: readonly string[]; readonly rest: readonly Segment[] } {
  const names: string[] = [];
  for (const segment of pattern.segments) {
    if (segment.kind !== "name") break;
    names.push(segment.name);
  }
  return { names, rest: pattern.segments.slice(names.length) };
}
