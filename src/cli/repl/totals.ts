/** What a turn or a session came to, in one line. */
import { counted } from "../render/text.ts";
import { durationText, percentText, tokensText } from "./numbers.ts";

/** How full the context is; the window is unknown where only lines are seen. */
export interface ContextUse {
  readonly used: number;
  readonly contextWindow: number | null;
}

/** Counters of calls and hooks. */
export class Totals {
  calls = 0;
  denied = 0;
  rewritten = 0;
  approved = 0;
  failed = 0;
  hooks = 0;
  hooksMs = 0;

  /** `context 12 % of 200k`, `3 calls: 1 denied`, `hooks 17 ms in all`; nothing where nothing happened. */
  parts(context: ContextUse | null): readonly string[] {
    const kinds = [
      { count: this.denied, word: "denied" },
      { count: this.rewritten, word: "rewritten" },
      { count: this.approved, word: "approved" },
      { count: this.failed, word: "failed" },
    ].filter(({ count }) => count > 0);
    const calls =
      this.calls === 0 ? [] : [`${counted(this.calls, "call")}${kinds.length > 0 ? `: ${kinds.map(({ count, word }) => `${count} ${word}`).join(", ")}` : ""}`];
    return [...contextParts(context), ...calls, ...(this.hooks === 0 ? [] : [`hooks ${durationText(this.hooksMs)} in all`])];
  }
}

function contextParts(context: ContextUse | null): readonly string[] {
  if (!context || context.used === 0) return [];
  const { used, contextWindow } = context;
  return [contextWindow === null ? `context ${tokensText(used)} tokens` : `context ${percentText(used / contextWindow)} of ${tokensText(contextWindow)}`];
}

/** Parts three blanks apart, on as few lines as hold them. */
export function joinParts(parts: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 3 + part.length <= width) lines[lines.length - 1] = `${last}   ${part}`;
    else lines.push(part);
  }
  return lines;
}
