/** A place in a file, as a terminal can open it: lines and columns count from 1. */
export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `file:line:column`. */
export function sourceText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}
