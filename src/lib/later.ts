/** Waiting that is over within one turn of the event loop is not worth a timer: what is still waiting in the next turn is told so. */

/** Something that waits. */
export interface Waiter {
  /** Whether it waits no longer. */
  readonly over: boolean;
  /** A turn has gone by, and it still waits. */
  stillWaiting(): void;
}

/** So many are kept before those that are over are looked for. */
const FEW = 64;

const waiting: Waiter[] = [];
let look = FEW;

/** Tells it in the next turn if it still waits then. */
export function tellLater(waiter: Waiter): void {
  if (waiting.length === 0) setImmediate(tell);
  if (waiting.length >= look) forget();
  waiting.push(waiter);
}

/** A turn may be long: what was over long ago is not held until its end. */
function forget(): void {
  let kept = 0;
  for (const each of waiting) if (!each.over) waiting[kept++] = each;
  waiting.length = kept;
  look = Math.max(FEW, 2 * kept);
  if (kept === 0) waiting.push(OVER);
}

/** Holds the place of those that were forgotten, so that the turn is not asked for twice. */
const OVER: Waiter = { over: true, stillWaiting: () => {} };

function tell(): void {
  look = FEW;
  for (const each of waiting.splice(0)) if (!each.over) each.stillWaiting();
}
