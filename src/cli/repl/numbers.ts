/** Numbers as people read them. */

/** `0.4 ms`, `12 ms`, `1.8 s`, `2 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 0.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `950`, `12.3k`, `200k`. */
export function tokensText(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens));
  const thousands = tokens / 1_000;
  return `${thousands < 100 ? thousands.toFixed(1).replace(/\.0$/, "") : Math.round(thousands)}k`;
}

/** `12 %`. */
export function percentText(share: number): string {
  const percent = share * 100;
  return `${percent > 0 && percent < 1 ? "< 1" : Math.round(percent)} %`;
}
