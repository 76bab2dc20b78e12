import type { DoubtKind } from "./doubts.ts";
import type { FileUse, Places, ShellDoubt, Stdin, Unit } from "./tree.ts";
import type { WordSink } from "./words.ts";

/** What a walk collects; later stages add what wrappers, interpreters and tables find. */
export interface Collector {
  readonly units: Unit[];
  readonly uses: FileUse[];
  readonly doubts: ShellDoubt[];
  readonly pipelines: (() => string)[];
  /** Called for each command found, so that what it starts can be read too. */
  found(unit: Unit): void;
  /** Program names are compared without case. */
  readonly foldCase: boolean;
  /** Commands the walk has seen by position, for the cross-check. */
  positions: number;
}

/** Where a text comes from: its own, or a span of the original that holds it. */
export interface Origin {
  readonly source: string;
  readonly fixed: { readonly start: number; readonly end: number } | undefined;
}

/** Where a walk is: what changes from command to command. */
export interface Frame {
  places: Places;
  readonly stdin: Stdin;
  readonly scope: Scope;
}

/** What all frames of one text share; one sink serves all its words. */
export interface Scope {
  readonly entry: Entry;
  readonly sink: WordSink;
  /** The frame whose words are being read. */
  current: Frame | undefined;
}

/** How a text is entered. */
export interface Entry {
  readonly origin: Origin;
  readonly depth: number;
  readonly parent: Unit | undefined;
  readonly places: Places;
  readonly certain: boolean;
}

/** Standard input that nobody can read beforehand. */
export const UNKNOWN: Stdin = { kind: "unknown" };

/** The sink for the words of a frame. */
export function sinkFor(frame: Frame): WordSink {
  frame.scope.current = frame;
  return frame.scope.sink;
}

/** The frame's state for something that may not last. */
export function apart(frame: Frame): Frame {
  return { places: frame.places, stdin: frame.stdin, scope: frame.scope };
}

/** Notes something that could not be resolved. */
export function addDoubt(out: Collector, kind: DoubtKind, { start, end }: { start: number; end: number }, detail: string): void {
  out.doubts.push({ kind, start, end, detail, unit: undefined });
}

/** A node that no row knows: the parser may be newer than this list. */
export function unknownNode(node: { readonly type: string; readonly pos: number; readonly end: number }, frame: Frame, out: Collector): void {
  addDoubt(out, "unknown-syntax", sinkFor(frame).span(node.pos, node.end), node.type);
}
