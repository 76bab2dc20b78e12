import { ANY_HOLE } from "./holes.ts";
import { commandPattern, isExact, matchesText, mayMatchText, type CommandPattern } from "./glob.ts";
import { textAt } from "./text-at.ts";
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
  /** Where they are many: those with another literal by that, and those without. */
  parted: { readonly literals: LiteralIndex<Entry<T>>; readonly others: readonly Entry<T>[] } | undefined;
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
  /** Some pattern is a whole text. */
  readonly hasExact: boolean;
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
  for (const group of groups) if (group.entries.length > GROUP_LIMIT) group.parted = part(group.entries);
  return { root, size: patterns.length, hasExact: [...groups].some(({ entries }) => entries.some(({ exact }) => exact)) };
}

function emptyNode<T extends Indexed>(): Node<T> {
  return { words: new Map(), heads: new Map(), lengths: [] };
}

function insert<T extends Indexed>(root: Node<T>, pattern: CommandPattern, item: T): Group<T> {
  const words = textAt(pattern.chunks, 0).split(" ");
  const head = textAt(words, -1);
  let node = root;
  for (const word of words.slice(0, -1)) {
    const next = node.words.get(word) ?? emptyNode<T>();
    node.words.set(word, next);
    node = next;
  }
  const group = node.heads.get(head) ?? { entries: [], parted: undefined };
  group.entries.push({ pattern, exact: isExact(pattern), item });
  node.heads.set(head, group);
  if (!node.lengths.includes(head.length)) node.lengths.push(head.length);
  return group;
}

/** Parts patterns into those found by the rarest, then longest, of the literals behind their head, and the others. */
function part<T extends Indexed>(entries: readonly Entry<T>[]): Group<T>["parted"] {
  const known = new Map<string, { readonly text: string; uses: number }>();
  const counted = (text: string): { readonly text: string; uses: number } => {
    const literal = known.get(text) ?? { text, uses: 0 };
    known.set(text, literal);
    literal.uses += 1;
    return literal;
  };
  const read = entries.map((item) => ({
    item,
    chunks: item.pattern.chunks
      .slice(1)
      .filter((chunk) => chunk !== "")
      .map(counted),
  }));
  const literals: { text: string; item: Entry<T> }[] = [];
  const others: Entry<T>[] = [];
  for (const { item, chunks } of read) {
    const [rarest] = chunks.sort((left, right) => left.uses - right.uses || right.text.length - left.text.length);
    if (rarest === undefined) others.push(item);
    else literals.push({ text: rarest.text, item });
  }
  return { literals: indexLiterals(literals), others };
}

/** Whether a pattern may match a text that begins with this word. */
export function concernsWord<T extends Indexed>({ root }: CommandIndex<T>, word: string): boolean {
  return root.lengths.length > 0 || root.words.has(word);
}

/** Every item whose pattern matches the text, given as `found`. */
export function findCommands<T extends Indexed>(index: CommandIndex<T>, text: string, found: (item: T, exact: boolean) => void): void {
  if (index.size === 0) return;
  let node: Node<T> | undefined = index.root;
  let from = 0;
  while (node) {
    for (const length of node.lengths) {
      if (from + length > text.length) continue;
      const group = node.heads.get(text.slice(from, from + length));
      if (group === undefined) continue;
      for (const entry of group.parted?.others ?? group.entries) tell(entry, text, found);
      if (group.parted) for (const entry of findLiterals(group.parted.literals, text)) tell(entry, text, found);
    }
    const blank = node.words.size === 0 ? -1 : text.indexOf(" ", from);
    if (blank < 0) return;
    node = node.words.get(text.slice(from, blank));
    from = blank + 1;
  }
}

function tell<T extends Indexed>({ pattern, exact, item }: Entry<T>, text: string, found: (item: T, exact: boolean) => void): void {
  if (matchesText(pattern, text)) found(item, exact);
}

/** Every item whose pattern could match a text with holes, up to a limit that the caller need not care about. */
export function mayFindCommands<T extends Indexed>(index: CommandIndex<T>, text: string, found: (item: T) => void): void {
  if (index.size === 0) return;
  const hole = text.search(ANY_HOLE);
  let left = CANDIDATE_LIMIT;
  let node: Node<T> | undefined = index.root;
  let from = 0;
  while (node) {
    const blank = text.indexOf(" ", from);
    if (blank < 0 || hole < blank) return mayFindBelow(node, text, found);
    for (const length of node.lengths) {
      const group = from + length > blank ? undefined : node.heads.get(text.slice(from, from + length));
      if (group === undefined) continue;
      for (const { pattern, item } of group.entries) {
        if (!mayMatchText(pattern, text)) continue;
        found(item);
        left -= 1;
        if (left === 0) return;
      }
    }
    node = node.words.get(text.slice(from, blank));
    from = blank + 1;
  }
}

/** From a word with a hole on, any pattern below may match. */
function mayFindBelow<T extends Indexed>(node: Node<T>, text: string, found: (item: T) => void): void {
  const candidates: Entry<T>[] = [];
  const all = collect(node, candidates);
  for (const { pattern, item } of candidates) if (!all || mayMatchText(pattern, text)) found(item);
}

/** Gathers what is below a node; false when there is more than the limit. */
function collect<T extends Indexed>(node: Node<T>, into: Entry<T>[]): boolean {
  for (const { entries } of node.heads.values()) {
    for (const entry of entries) {
      if (into.length >= CANDIDATE_LIMIT) return false;
      into.push(entry);
    }
  }
  for (const next of node.words.values()) if (!collect(next, into)) return false;
  return true;
}
