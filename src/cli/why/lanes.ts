/** A line below a text on which nothing overlaps. */
export type Lane<Item> = readonly Item[];

/** Lanes beyond this number are not drawn: the list of commands tells them. */
const LIMIT_LANES = 6;

/** Spans spread over lanes: what overlaps an earlier and longer one goes below it. */
export function layLanes<Item extends { readonly start: number; readonly end: number }>(items: readonly Item[]): readonly Lane<Item>[] {
  const lanes: Item[][] = [];
  for (const item of [...items].sort((left, right) => left.start - right.start || right.end - left.end)) {
    const free = lanes.find((lane) => (lane.at(-1)?.end ?? 0) <= item.start && lane.at(-1)?.start !== item.start);
    if (free) free.push(item);
    else if (lanes.length < LIMIT_LANES) lanes.push([item]);
  }
  return lanes;
}
