/** Work that comes in crowds: as much of it as fits is begun in one turn of the event loop, the rest waits for the next ones. */
import { performance } from "node:perf_hooks";

/** How long the beginnings of one turn may take together before others get their turn, in milliseconds. */
const LONGEST_MS = 1;

const waiting: (() => void)[] = [];
let endsMs = 0;
let isRunning = false;

/** Undefined: begin now. Else when to begin; in the order of asking. */
export function turn(): Promise<void> | undefined {
  const now = performance.now();
  if (!isRunning) {
    isRunning = true;
    endsMs = now + LONGEST_MS;
    setImmediate(next);
  }
  if (waiting.length === 0 && now <= endsMs) return undefined;
  return new Promise((resolve) => void waiting.push(resolve));
}

function next(): void {
  if (waiting.length > 0) void admit();
  else isRunning = false;
}

/** One after another, each begun before the clock is looked at. */
async function admit(): Promise<void> {
  endsMs = performance.now() + LONGEST_MS;
  do {
    waiting.shift()?.();
    await BEGUN;
  } while (waiting.length > 0 && performance.now() < endsMs);
  setImmediate(next);
}

const BEGUN = Promise.resolve();
