import type { Layer } from "./layer.ts";
import type { Source } from "./source.ts";
import type { Verdict } from "./verdict.ts";

/** One permission pattern with its verdict, as `Bash(pnpm *)` in a deny, ask or allow list. */
export interface Rule {
  readonly verdict: Verdict;
  /** The rule as its owner wrote it: `Tool` or `Tool(pattern)`. */
  readonly text: string;
  /** Where it stands; absent for rules that a hook or an approver added to the session. */
  readonly source?: Source;
  readonly layer?: Layer;
}

/** The verdict for each kind of tool when no rule speaks. */
export const MODES = ["plan", "default", "acceptEdits", "bypassPermissions"] as const;
export type Mode = (typeof MODES)[number];
