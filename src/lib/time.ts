/** Whether a promise settles in time. The timer never holds the process. */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits a while. */
export async function sleep(milliseconds: number): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, milliseconds));
}

/** Lets the event loop read what is there to be read. */
export async function nextRound(): Promise<void> {
  await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
}

/** Milliseconds to the microsecond. */
export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
