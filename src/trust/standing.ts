/** Whether an entry may run, and what to say when it may not. */
import { ENTRY_KINDS, type EntryKind } from "./entry.ts";

/** What became of an entry that needs trust. */
export type Standing =
  | { readonly kind: "trusted"; readonly since: string | null }
  /** Never approved; `since`: the folder was, and it came later. */
  | { readonly kind: "new"; readonly since: string | null }
  | { readonly kind: "changed"; readonly since: string; readonly what: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unlocked"; readonly lock: string };

/** The word for a standing, as lists show it. */
export const STANDING_WORDS = {
  trusted: "trusted",
  new: "untrusted",
  changed: "changed",
  refused: "refused",
  unlocked: "not in the lock",
} as const satisfies Record<Standing["kind"], string>;

/** Why an entry does not run; null when it does. */
export function whyNot(standing: Standing): string | null {
  switch (standing.kind) {
    case "trusted":
      return null;
    case "new":
      return standing.since === null
        ? "it comes with this folder, which is not trusted; `snaphook trust` lets it run"
        : `it is new since this folder was trusted on ${day(standing.since)}; \`snaphook trust --review\` shows it`;
    case "changed":
      return `content changed since ${day(standing.since)} (${standing.what.join(", ")}); \`snaphook trust --review\` shows it`;
    case "refused":
      return standing.reason;
    case "unlocked":
      return `it is not in ${standing.lock} as it is now`;
  }
}

/** What a decision says about an entry that was left out. */
export function leftOutText(name: string, standing: Standing, kind: EntryKind = "hook"): string {
  const lets = kind === "server" ? "starts it" : kind === "rule" || kind === "approval" ? "lets it count" : "lets it run";
  const what = kind === "hook" ? name : `${ENTRY_KINDS[kind]} ${name}`;
  if (standing.kind === "new" && standing.since === null)
    return `${what} comes with this folder, which is not trusted; it was left out. \`snaphook trust\` or --trust ${lets}`;
  return `${what} was left out: ${whyNot(standing) ?? ""}`;
}

/** The day of a moment. */
export function day(moment: string): string {
  return moment.slice(0, 10);
}
