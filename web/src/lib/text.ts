/** Text of models, hooks and tools, made harmless to read: what nobody can see is shown. */

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSEEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/gu;

/** The same text with marks in the place of control characters, and of those that turn the direction or have no width. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (char) => `⟨${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, "0")}⟩`);
}

/** Characters of a text that a row has room for. */
const ROW_CHARACTERS = 400;

/** A text on one line of a list: its beginning, where it is long. */
export function brief(text: string): string {
  return visible(text.length <= ROW_CHARACTERS ? text : `${text.slice(0, ROW_CHARACTERS)}…`);
}

/** A time of day. */
export function clock(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toLocaleTimeString([], { hourCycle: "h23", hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** A day and a time of day. */
export function moment(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return `${date.toLocaleDateString([], { month: "short", day: "numeric" })} ${clock(at)}`;
}

/** A duration, short. */
export function duration(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1_000)} µs`;
  return ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
