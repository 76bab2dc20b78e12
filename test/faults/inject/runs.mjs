// Which calls of a run fail, and how.
/** Ways to fail: codes of the system, and writes that take only half. */
export const WAYS = ["EMFILE", "ENOSPC", "EACCES", "EIO", "short"];

/**
 * The runs for so many calls: every so many of them one fails, in every way or each in another.
 * @param {number} calls
 * @param {{ step: number, turns: boolean }} options
 * @returns {{ at: number, how: string }[]}
 */
export function runsOf(calls, { step, turns }) {
  const places = Array.from({ length: Math.ceil(calls / step) }, (_, index) => index);
  return places.flatMap((place) => (turns ? [WAYS[place % WAYS.length] ?? "EIO"] : WAYS).map((how) => ({ at: 1 + place * step, how })));
}
