/** Frames as a page sees them, and the work between them as the processor counts it: other programs stretch the first alone. */
import type { Browser, Page } from "playwright-core";
import { isObject, parseJson } from "../../src/lib/json.ts";

/** What was seen. */
export interface Frames {
  /** How long each frame took, by the clock. */
  readonly ms: readonly number[];
  /** The longest piece of work of the page's own thread, in processor time. */
  readonly longestWorkMs: number;
}

const COUNT = `(() => {
  window.frames_ = [];
  let last = performance.now();
  const next = (now) => { window.frames_.push(now - last); last = now; if (window.frames_) requestAnimationFrame(next); };
  requestAnimationFrame(next);
})()`;

/** Watches the frames of a page while something is done to it. */
export async function watchFrames(browser: Browser, page: Page, work: () => Promise<void>): Promise<Frames> {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await page.evaluate(COUNT);
  await work();
  const ms: number[] = await page.evaluate("window.frames_");
  return { ms, longestWorkMs: longestWork(parseJson((await browser.stopTracing()).toString("utf8"))) };
}

function longestWork(trace: unknown): number {
  const events = isObject(trace) && Array.isArray(trace["traceEvents"]) ? trace["traceEvents"].filter(isObject) : [];
  const threads = new Set(events.filter(({ name, args }) => name === "thread_name" && isObject(args) && args["name"] === "CrRendererMain").map(threadOf));
  return Math.max(0, ...events.filter((event) => threads.has(threadOf(event))).map(({ tdur }) => (typeof tdur === "number" ? tdur / 1_000 : 0)));
}

function threadOf({ pid, tid }: { readonly [key: string]: unknown }): string {
  return `${String(pid)} ${String(tid)}`;
}
