/** A search and its result, whoever makes it. */

/** How long one search may take. */
export const GREP_LIMIT_MS = 30_000;

/** What a search gives: the names of files, their lines, or how many match. */
export const GREP_MODES = ["files_with_matches", "content", "count"] as const;

/** One search, whoever makes it. */
export interface GrepRequest {
  readonly pattern: string;
  readonly mode: (typeof GREP_MODES)[number];
  readonly ignoreCase: boolean;
  readonly before: number;
  readonly after: number;
  readonly glob: string | undefined;
  /** The folder to search, and the one file in it where only that is searched. */
  readonly folder: string;
  readonly file: string | undefined;
  /** Whether a path below the folder may be read. */
  readonly readable: (file: string) => boolean;
  /** How a path below the folder is shown. */
  readonly shown: (file: string) => string;
}

/** What a search found, line by line as it is shown: `file`, `file:count`, `file:line:text`, `file-line-text`, `--`. */
export type GrepResult =
  | { readonly kind: "found"; readonly lines: readonly string[]; readonly notes: readonly string[] }
  | { readonly kind: "bad"; readonly message: string };

/** Says that a search left files out; how many is not said, nor which. */
export const LEFT_OUT = "(files that a permission rule keeps from being read were left out)";
