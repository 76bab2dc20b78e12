/** Long work in slices, so short that the page draws between them however much there is to do. */

/** How long a slice may take: half of what a frame has. */
const SLICE_MS = 8;

/** Does something with each item, and lets the page draw in between. */
export async function inSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let end = performance.now() + SLICE_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < end) continue;
    await nextFrame();
    end = performance.now() + SLICE_MS;
  }
}

/** How long a page that is not drawn, because nobody sees it, waits between two slices. */
const UNSEEN_MS = 50;

/** Waits until the page has been drawn once more: one slice a frame leaves the processor to those who draw. */
async function nextFrame(): Promise<void> {
  await new Promise<void>((resolve) => {
    const unseen = setTimeout(resolve, UNSEEN_MS);
    requestAnimationFrame(() => {
      clearTimeout(unseen);
      setTimeout(resolve);
    });
  });
}

/** The lines of a text, found one by one. */
export function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
}
