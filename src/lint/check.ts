import type { Configuration } from "../config/load.ts";
import type { Position } from "../lib/document/node.ts";
import type { Hook } from "../model/hook.ts";
import { noticeAt, type Notice } from "../model/notice.ts";

/** A hook that was read, and where its matcher stands. */
export interface PlacedHook {
  readonly hook: Hook;
  readonly matcherAt: Position;
}

/** What checks look at. */
export interface LintContext {
  readonly configuration: Configuration;
  /** Every hook of every file that could be read, the disabled ones too, in order. */
  readonly hooks: readonly PlacedHook[];
  /** The project folder: hooks run here. */
  readonly cwd: string;
  readonly home: string;
}

/** One check: what it looks for, and how it finds it. Reading the files has found the rest already. */
export interface Check {
  readonly finds: string;
  run(context: LintContext): Promise<readonly Notice[]> | readonly Notice[];
}

/** A notice about a hook, at its place or at another in the same file. */
export function noticeAbout({ name, source }: Hook, notice: Pick<Notice, "kind" | "message">, at?: Position): Notice {
  return source ? { ...noticeAt({ ...source, ...at }, notice), hook: name } : { ...notice, hook: name };
}
