import { hasHole } from "./holes.ts";
import { commandPattern, isExact, matchesText, mayMatchText, type CommandPattern } from "./glob.ts";

/** Something found by its pattern; the lower order came first in the configuration. */
export interface Indexed {
  readonly order: number;
}

interface Entry<T extends Indexed> {
  readonly pattern: CommandPattern;
  readonly item: T;
}

interface Node<T extends Indexed> {
  /** Next whole word of the patterns' literal beginnings. */
  readonly words: Map<string, Node<T>>;
  /** Patterns whose last whole word this is, by the text between it and the first star. */
  readonly heads: Map<string, Entry<T>[]>;
  /** Lengths of those texts, so that a lookup tries each length once. */
  readonly lengths: Set<number>;
}

/** Command patterns by their literal beginning: a lookup follows the text, whatever the number of patterns. */
export interface CommandIndex<T extends Indexed> {
  readonly root: Node<T>;
  readonly size: number;
}

/** Beyond this number of candidates for a text with holes the answer is maybe without looking at each. */
const CANDIDATE_LIMIT = 64;

/** Builds the index of all patterns. */
export function indexCommands<T extends Indexed>(patterns: readonly { readonly text: string; readonly item: T }[]): CommandIndex<T> {
  const root = emptyNode<T>();
  for (const { text, item } of patterns) insert(root, commandPattern(text), item);
  return { root, size: patterns.length };
}

function emptyNode<T extends Indexed>(): Node<T> {
  return { words: new Map(), heads: new Map(), lengths: new Set() };
}

function insert<T extends Indexed>(root: Node<T>, pattern: CommandPattern, item: T): void {
  const words = (pattern.chunks[0] ?? "").split(" ");
  const head = words.pop() ?? "";
  let node = root;
  for (const word of words) {
    const next = node.words.get(word) ?? emptyNode<T>();
    node.words.set(word, next);
    node = next;
  }
  const entries = node.heads.get(head) ?? [];
  entries.push({ pattern, item });
  node.heads.set(head, entries);
  node.lengths.add(head.length);
}

/** Every item whose pattern matches the text, given as `found`. */
export function findCommands<T extends Indexed>(index: CommandIndex<T>, text: string, found: (item: T, exact: boolean) => void): void {
  if (index.size === 0) return;
  let node: Node<T> | undefined = index.root;
  let from = 0;
  while (node) {
    const blank = text.indexOf(" ", from);
    const end = blank < 0 ? text.length : blank;
    for (const length of node.lengths) {
      if (from + length > text.length) continue;
      const entries = node.heads.get(text.slice(from, from + length));
      for (const { pattern, item } of entries ?? []) if (matchesText(pattern, text)) found(item, isExact(pattern));
    }
    if (blank < 0) return;
    node = node.words.get(text.slice(from, end));
    from = end + 1;
  }
}

/** Every item whose pattern could match a text with holes, up to a limit that the caller need not care about. */
export function mayFindCommands<T extends Indexed>(index: CommandIndex<T>, text: string, found: (item: T) => void): void {
  if (index.size === 0) return;
  let node: Node<T> | undefined = index.root;
  let from = 0;
  while (node) {
    const blank = text.indexOf(" ", from);
    const word = text.slice(from, blank < 0 ? text.length : blank);
    if (hasHole(word)) {
      const candidates: Entry<T>[] = [];
      const all = collect(node, candidates);
      for (const { pattern, item } of candidates) if (!all || mayMatchText(pattern, text)) found(item);
      return;
    }
    for (const entries of node.heads.values()) for (const { pattern, item } of entries) if (mayMatchText(pattern, text)) found(item);
    if (blank < 0) return;
    node = node.words.get(word);
    from += word.length + 1;
  }
}

/** Gathers what is below a node; false when there is more than the limit. */
function collect<T extends Indexed>(node: Node<T>, into: Entry<T>[]): boolean {
  for (const entries of node.heads.values()) {
    for (const entry of entries) {
      if (into.length >= CANDIDATE_LIMIT) return false;
      into.push(entry);
    }
  }
  for (const next of node.words.values()) if (!collect(next, into)) return false;
  return true;
}
