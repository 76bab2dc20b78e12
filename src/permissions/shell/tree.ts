import type { DoubtKind } from "./doubts.ts";
import type { ProgramRow } from "./programs.ts";

/** One word as the shell will see it after unquoting, with holes for what is only known later. */
export interface Token {
  /** As written. */
  readonly raw: string;
  /** Unquoted; unknown parts are hole characters. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Some part is only known when the shell runs. */
  readonly dynamic: boolean;
  /** Unquoted expansions only: the word may vanish or become several. */
  readonly splits: boolean;
  /** Written with quotes or backslashes. */
  readonly quoted: boolean;
  /** It is some file below this folder. */
  readonly below?: string;
}

/** The word at a place, unquoted; beyond the last one there is nothing. */
export function wordAt(tokens: readonly Token[], place: number): string {
  return tokens[place]?.value ?? "";
}

/** An assignment in front of a command or on its own. */
export interface Assign {
  readonly name: string;
  /** As written, name and sign included. */
  readonly raw: string;
  readonly value: Token | undefined;
  readonly start: number;
  readonly end: number;
}

/** Where relative paths start: the folders it may be in, or undefined for anywhere. */
export type Places = readonly Place[] | undefined;

/** A folder relative to where the shell started: a list of `cd` operands to go through. */
export type Place = readonly string[];

/** Where a command's standard input comes from. */
export type Stdin = { readonly kind: "inherited" } | { readonly kind: "unknown" } | { readonly kind: "text"; readonly token: Token };

/** One command that may run. */
export interface Unit {
  readonly kind: "command" | "nested";
  readonly tokens: readonly Token[];
  /** The name by which tables know the program; undefined when it is only known at run time, or there is none. */
  readonly program: string | undefined;
  /** What the tables say of it. */
  readonly known: ProgramRow | undefined;
  readonly assigns: readonly Assign[];
  readonly start: number;
  readonly end: number;
  /** Words as written, joined by single blanks: what allow patterns are tested against. */
  readonly raw: string;
  readonly stdin: Stdin;
  readonly places: Places;
  /** Whether this command certainly runs as read; a guess can only be maybe. */
  readonly certain: boolean;
  /** The wrapper that starts it. */
  readonly parent: Unit | undefined;
  /** How deep in scripts within scripts. */
  readonly depth: number;
}

/** What a file is used for. */
export interface FileUse {
  readonly access: "read" | "write";
  readonly token: Token;
  readonly start: number;
  readonly end: number;
  readonly places: Places;
  readonly certain: boolean;
  /** The whole tree below is used. */
  readonly recursive: boolean;
  /** What an allow needs: a rule or mode for the file, a place inside the project, or nothing more. */
  readonly needs: "rule" | "inside" | "nothing";
  readonly source: "redirect" | "argument";
  readonly unit: Unit | undefined;
}

/** Something that could not be resolved. */
export interface ShellDoubt {
  readonly kind: DoubtKind;
  readonly start: number;
  readonly end: number;
  readonly detail: string;
  /** The command whose words hold it, where there is one. */
  readonly unit: Unit | undefined;
}

/** All that a shell text may do, as far as it can be read. */
export interface Reading {
  readonly units: readonly Unit[];
  readonly uses: readonly FileUse[];
  readonly doubts: readonly ShellDoubt[];
  /** Pipelines rendered as one text, for deny patterns that hold an operator. */
  readonly pipelines: readonly (() => string)[];
}
