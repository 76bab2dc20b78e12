import { mayMatchText } from "./glob.ts";
import { HOLE, SPLIT_HOLE, beginsWithHole, hasHole } from "./holes.ts";
import { ANY_CHARACTER, segmentFits, type PathPattern, type Segment } from "./path-pattern.ts";
import type { Indexed } from "./command-index.ts";

interface Node<T extends Indexed> {
  readonly names: Map<string, Node<T>>;
  /** The only name there is, as in most nodes: it is compared in place instead of cut out and looked up. */
  sole: { readonly name: string; readonly node: Node<T> } | undefined;
  /** One bit for each length of a name, modulo 32: most names need not be cut out of the path. */
  nameLengths: number;
  readonly globs: Map<string, { readonly chunks: readonly string[]; readonly node: Node<T> }>;
  /** `*.ext` and `name*`, found by their literal end. */
  readonly tails: Map<string, Node<T>>;
  readonly tailLengths: number[];
  deep: Node<T> | undefined;
  readonly here: T[];
  /** Below a `**`: it may be reached at several places of one path. */
  readonly repeats: boolean;
}

/** Absolute path patterns as a tree of names: a lookup follows the path. */
export interface PathIndex<T extends Indexed> {
  readonly root: Node<T>;
  readonly size: number;
  /** Those that came first, for a path of which nothing is known. */
  readonly first: readonly T[];
}

/** Patterns that are told when a path may be any of many: for the answer one is enough. */
const TREE_LIMIT = 64;

/** Builds the index of absolute patterns, given as segments. */
export function indexPaths<T extends Indexed>(patterns: readonly { readonly segments: readonly Segment[]; readonly item: T }[]): PathIndex<T> {
  const root = emptyNode<T>(false);
  for (const { segments, item } of patterns) {
    let node = root;
    for (const segment of segments) node = stepTo(node, segment);
    node.here.push(item);
  }
  return { root, size: patterns.length, first: patterns.slice(0, TREE_LIMIT).map(({ item }) => item) };
}

function emptyNode<T extends Indexed>(repeats: boolean): Node<T> {
  return { names: new Map(), sole: undefined, nameLengths: 0, globs: new Map(), tails: new Map(), tailLengths: [], deep: undefined, here: [], repeats };
}

function stepTo<T extends Indexed>(node: Node<T>, segment: Segment): Node<T> {
  switch (segment.kind) {
    case "name": {
      node.nameLengths |= 1 << segment.name.length;
      const next = getOrAdd(node.names, segment.name, node.repeats);
      node.sole = node.names.size === 1 ? { name: segment.name, node: next } : undefined;
      return next;
    }
    case "deep":
      node.deep ??= emptyNode(true);
      return node.deep;
    case "glob": {
      const [first, last] = segment.chunks;
      if (segment.chunks.length === 2 && first === "" && last !== undefined && !last.includes(ANY_CHARACTER)) {
        if (!node.tailLengths.includes(last.length)) node.tailLengths.push(last.length);
        return getOrAdd(node.tails, last, node.repeats);
      }
      const key = segment.chunks.join("*");
      const known = node.globs.get(key) ?? { chunks: segment.chunks, node: emptyNode<T>(node.repeats) };
      node.globs.set(key, known);
      return known.node;
    }
  }
}

function getOrAdd<T extends Indexed>(map: Map<string, Node<T>>, key: string, repeats: boolean): Node<T> {
  const known = map.get(key) ?? emptyNode<T>(repeats);
  map.set(key, known);
  return known;
}

type Found<T extends Indexed> = (item: T, match: "yes" | "maybe") => unknown;

/** How strictly a path must fit: a deny of a folder covers what is in it. */
export interface PathQuery {
  readonly covers: boolean;
  /** The whole tree below the path is used: patterns below it may match. */
  readonly recursive: boolean;
}

/** Every item whose pattern matches the path: surely, or perhaps where the path has holes or is a tree. */
export function findPaths<T extends Indexed>(index: PathIndex<T>, path: string, query: PathQuery, found: Found<T>): void {
  if (index.size === 0) return;
  const dynamic = hasHole(path);
  // Unknown text may hold `..`: then it may lead anywhere.
  if (dynamic && (path.includes(HOLE) || path.includes(SPLIT_HOLE))) return void index.first.map((item) => found(item, "maybe"));
  const walk: Walk<T> = { path, dynamic, covers: query.covers, recursive: query.recursive, found, passed: undefined };
  // The first name begins behind the first slash; the root has none.
  visit(index.root, walk, path === "/" ? 2 : 1, "yes");
}

/** One lookup on its way through the tree; a place in the path is where a name begins. */
interface Walk<T extends Indexed> extends PathQuery {
  readonly path: string;
  readonly dynamic: boolean;
  readonly found: Found<T>;
  /** The first place from which each `**` below another one was taken: from there on, all later ones were too. */
  passed: Map<Node<T>, { yes: number; maybe: number }> | undefined;
}

function visit<T extends Indexed>(node: Node<T>, walk: Walk<T>, at: number, match: "yes" | "maybe"): void {
  const ended = at > walk.path.length;
  if (ended || walk.covers) for (const item of node.here) walk.found(item, match);
  if (ended) {
    if (walk.covers && node.deep) for (const item of node.deep.here) walk.found(item, match);
    if (walk.recursive) someBelow(node, walk.found, TREE_LIMIT);
    return;
  }
  if (node.deep) visitDeep(node.deep, walk, at, node.repeats ? passedFrom(node.deep, walk, at, match) : walk.path.length + 1, match);
  step(node, walk, at, nameEnd(walk.path, at), match);
}

/** `**` takes any number of names, also none. */
function visitDeep<T extends Indexed>(deep: Node<T>, walk: Walk<T>, at: number, until: number, match: "yes" | "maybe"): void {
  for (const item of deep.here) walk.found(item, match);
  for (let from = hasNames(deep) ? at : until; from < until;) {
    const end = nameEnd(walk.path, from);
    step(deep, walk, from, end, match);
    from = end + 1;
  }
  if (walk.recursive) someBelow(deep, walk.found, TREE_LIMIT);
}

/** Whether anything follows a `**`: mostly it is the end of its pattern. */
function hasNames<T extends Indexed>({ nameLengths, tailLengths, globs }: Node<T>): boolean {
  return nameLengths !== 0 || tailLengths.length + globs.size > 0;
}

/** Up to where a `**` has to be followed: what lies behind was followed before, so that no path is walked twice. */
function passedFrom<T extends Indexed>(deep: Node<T>, walk: Walk<T>, at: number, match: "yes" | "maybe"): number {
  const end = walk.path.length + 1;
  walk.passed ??= new Map();
  const passed = walk.passed.get(deep) ?? { yes: end, maybe: end };
  const until = Math.min(passed.yes, match === "yes" ? end : passed.maybe);
  passed[match] = Math.min(passed[match], at);
  walk.passed.set(deep, passed);
  return until;
}

function nameEnd(path: string, at: number): number {
  const end = path.indexOf("/", at);
  return end < 0 ? path.length : end;
}

/** From a node along one name. */
function step<T extends Indexed>(node: Node<T>, walk: Walk<T>, at: number, end: number, match: "yes" | "maybe"): void {
  const { path } = walk;
  if (walk.dynamic && hasHole(path.slice(at, end))) return visitHole(node, walk, path.slice(at, end), end + 1);
  const next = (node.nameLengths & (1 << (end - at))) === 0 ? undefined : named(node, path, at, end);
  if (next) visit(next, walk, end + 1, match);
  if (node.tailLengths.length + node.globs.size === 0) return;
  const name = path.slice(at, end);
  for (const length of node.tailLengths) {
    const tail = length <= name.length ? node.tails.get(name.slice(name.length - length)) : undefined;
    if (tail) visit(tail, walk, end + 1, match);
  }
  for (const glob of node.globs.values()) if (segmentFits(glob.chunks, name)) visit(glob.node, walk, end + 1, match);
}

function named<T extends Indexed>({ sole, names }: Node<T>, path: string, at: number, end: number): Node<T> | undefined {
  if (sole === undefined) return names.get(path.slice(at, end));
  return sole.name.length === end - at && path.startsWith(sole.name, at) ? sole.node : undefined;
}

/** A name that the shell will match against file names, where a leading dot must be written. */
function visitHole<T extends Indexed>(node: Node<T>, walk: Walk<T>, part: string, next: number): void {
  const undotted = beginsWithHole(part);
  for (const [name, inner] of node.names) if (!(undotted && name.startsWith(".")) && mayFit([name], part)) visit(inner, walk, next, "maybe");
  for (const [tail, inner] of node.tails) if (mayFit(["", tail], part)) visit(inner, walk, next, "maybe");
  for (const { chunks, node: inner } of node.globs.values())
    if (!(undotted && chunks[0]?.startsWith(".")) && mayFit(chunks, part)) visit(inner, walk, next, "maybe");
}

function mayFit(chunks: readonly string[], part: string): boolean {
  return chunks.some((chunk) => chunk.includes(ANY_CHARACTER)) || mayMatchText({ chunks, boundary: false }, part);
}

/** All below a node is possible: so many of it are told, and how many more could be is answered. */
function someBelow<T extends Indexed>(node: Node<T>, found: Found<T>, limit: number): number {
  let left = limit - node.here.length;
  for (const item of node.here) found(item, "maybe");
  for (const inner of below(node)) {
    if (left <= 0) return left;
    left = someBelow(inner, found, left);
  }
  return left;
}

function* below<T extends Indexed>(node: Node<T>): Generator<Node<T>> {
  if (node.deep) yield node.deep;
  yield* node.names.values();
  yield* node.tails.values();
  for (const { node: inner } of node.globs.values()) yield inner;
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
