import type { Source } from "./source.ts";

/** Something dropped, cut, ignored or odd, and why. Nothing of that kind happens without one. */
export interface Notice {
  /** What kind of remark it is: a row of the configuration problems or of the engine's own. */
  readonly kind: NoticeKind;
  readonly message: string;
  /** The place in a configuration file, where there is one. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The name of the hook it is about, where there is one. */
  readonly hook?: string;
}

/** The kinds of notices and how `lint` weighs them. */
export const NOTICES = {
  "unreadable-file": "error",
  "wrong-type": "error",
  "unknown-event": "error",
  "unfired-event": "info",
  "unknown-key": "warning",
  "missing-key": "error",
  "duplicate-key": "warning",
  "bad-pattern": "error",
  "slow-pattern": "warning",
  "bad-duration": "error",
  "bad-command": "error",
  "bad-rule": "error",
  "unsupported-option": "warning",
  "missing-script": "warning",
  "not-executable": "warning",
  "refused-url": "warning",
  "unreachable-matcher": "warning",
  "duplicate-hook": "warning",
  "rule-finding": "warning",
  "not-trusted": "info",
  authority: "info",
  disabled: "info",
  fault: "info",
  answer: "info",
  stub: "info",
  power: "info",
  rewrite: "info",
  runner: "info",
  gate: "info",
  audit: "warning",
} as const satisfies Record<string, "error" | "warning" | "info">;

export type NoticeKind = keyof typeof NOTICES;

/** A notice about a place in a file. */
export function noticeAt(source: Source, notice: Notice): Notice {
  return { ...notice, file: source.file, line: source.line, column: source.column };
}
