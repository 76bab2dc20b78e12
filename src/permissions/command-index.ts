import { isHoleCode } from "./holes.ts";
import { commandPattern, isExact, matchesText, mayMatchText, type CommandPattern } from "./glob.ts";
import { findLiterals, indexLiterals, type LiteralIndex } from "./literal-index.ts";

/** Something found by its pattern; the lower order came first in the configuration. */
export interface Indexed {
  readonly order: number;
}

interface Entry<T extends Indexed> {
  readonly pattern: CommandPattern;
  readonly exact: boolean;
  readonly item: T;
}

/** Patterns with the same literal beginning. */
interface Group<T extends Indexed> {
  readonly entries: Entry<T>[];
  /** Where they are many: by a literal that only few of them have. */
  literals: LiteralIndex<Entry<T>> | undefined;
}

interface Node<T extends Indexed> {
  /** Next whole word of the patterns' literal beginnings. */
  readonly words: Map<string, Node<T>>;
  /** Patterns whose last whole word this is, by the text between it and the first star. */
  readonly heads: Map<string, Group<T>>;
  /** Lengths of those texts, so that a lookup tries each length once. */
  readonly lengths: number[];
}

/** Command patterns by their literal beginning: a lookup follows the text, whatever the number of patterns. */
export interface CommandIndex<T extends Indexed> {
  readonly root: Node<T>;
  readonly size: number;
}

/** Beyond this number of candidates for a text with holes the answer is maybe without looking at each. */
const CANDIDATE_LIMIT = 64;
/** A group up to this size is looked through one by one. */
const GROUP_LIMIT = 8;

/** Builds the index of all patterns. */
export function indexCommands<T extends Indexed>(patterns: readonly { readonly text: string; readonly item: T }[]): CommandIndex<T> {
  const root = emptyNode<T>();
  const groups = new Set<Group<T>>();
  for (const { text, item } of patterns) groups.add(insert(root, commandPattern(text), item));
  for (const group of groups) if (group.entries.length > GROUP_LIMIT) group.literals = literalsOf(group.entries);
  return { root, size: patterns.length };
}

function emptyNode<T extends Indexed>(): Node<T> {
  return { words: new Map(), heads: new Map(), lengths: [] };
}

function insert<T extends Indexed>(root: Node<T>, pattern: CommandPattern, item: T): Group<T> {
  const words = (pattern.chunks[0] ?? "").split(" ");
  const head = words.pop() ?? "";
  let node = root;
  for (const word of words) {
    const next = node.words.get(word) ?? emptyNode<T>();
    node.words.set(word, next);
    node = next;
  }
  const group = node.heads.get(head) ?? { entries: [], literals: undefined };
  group.entries.push({ pattern, exact: isExact(pattern), item });
  node.heads.set(head, group);
  if (!node.lengths.includes(head.length)) node.lengths.push(head.length);
  return group;
}

/** Each pattern by the rarest, then longest, of its literals; one without any behind its head is found by the head. */
function literalsOf<T extends Indexed>(entries: readonly Entry<T>[]): LiteralIndex<Entry<T>> {
  const uses = new Map<string, number>();
  for (const { pattern } of entries) for (const chunk of pattern.chunks) uses.set(chunk, (uses.get(chunk) ?? 0) + 1);
  const rank = (chunk: string): number => (uses.get(chunk) ?? 0) - chunk.length / (chunk.length + 1);
  return indexLiterals(entries.map((item) => ({ item, text: item.pattern.chunks.filter((chunk) => chunk !== "").reduce((best, chunk) => (rank(chunk) < rank(best) ? chunk : best)) })));
}

/** Every item whose pattern matches the text, given as `found`. */
export function findCommands<T extends Indexed>(index: CommandIndex<T>, text: string, found: (item: T, exact: boolean) => void): void {
  if (index.size === 0) return;
  let node: Node<T> | undefined = index.root;
  let from = 0;
  while (node) {
    for (const length of node.lengths) {
      const group = node.heads.get(text.slice(from, from + length));
      if (group === undefined) continue;
      for (const { pattern, exact, item } of group.literals ? findLiterals(group.literals, text) : group.entries) if (matchesText(pattern, text)) found(item, exact);
    }
    const blank = node.words.size === 0 ? -1 : text.indexOf(" ", from);
    if (blank < 0) return;
    node = node.words.get(text.slice(from, blank));
    from = blank + 1;
  }
}
