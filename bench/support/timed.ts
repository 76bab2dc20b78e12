/** Samples: how often to run something so that the clock can see it, and how long one run took. */
import type { Opened } from "../row.ts";

/** What a sample takes at least, so that neither the clock nor one interruption decides. */
const SAMPLE_MS = 20;
/** Something is warm when so many samples in a row were hardly faster than the best before them: until then it is still being compiled. */
const STEADY_SAMPLES = 15;
const HARDLY = 0.97;
/** Longer than that nobody waits for it to get faster. */
const WARM_MS = 10_000;
/** What is done many times in a millisecond runs at least so long on a processor: its code is compiled in several steps, with pauses. */
const COMPILE_MS = 1_000;
/** What takes that long once is not warmed up: it is no matter of compiled code. */
const SLOW_MS = 250;
/** Set for hosts that only have to show that they work. */
export const QUICK = "SNAPHOOK_BENCH_QUICK";
const MOST_TIMES = 1_000_000;

/** One point of a row: what is run, and whether it is waited for. */
export interface Work {
  readonly run: () => unknown;
  readonly waits: boolean;
  /** Undoes what a sample left behind; not timed. */
  readonly after?: () => Promise<void> | void;
}

/** Something that is waited for. */
export function awaited(run: () => unknown): Work {
  return { run, waits: true };
}

/** Something that answers at once; nothing waits, so a wait is not part of the time. */
export function called(run: () => unknown): Work {
  return { run, waits: false };
}

/** A contender made of works, one for each point. */
export async function timed(works: readonly Work[], close: Opened["close"] = () => {}): Promise<Opened> {
  const batches: { readonly work: Work; readonly times: number }[] = [];
  for (const work of works) batches.push({ work, times: await calibrate(work) });
  return {
    sample: async () => {
      const microseconds: number[] = [];
      for (const { work, times } of batches) microseconds.push((await elapsedMs(work, times)) * (1_000 / times));
      return microseconds;
    },
    close,
  };
}

/** Runs it until it is warm, and says how often it has to be run for a sample. */
async function calibrate(work: Work): Promise<number> {
  // The first run may have to make things ready.
  await elapsedMs(work, 1);
  if (process.env[QUICK] === "1") return 1;
  let spentMs = await elapsedMs(work, 1);
  if (spentMs > SLOW_MS) return 1;
  let times = 1;
  let bestMs = Infinity;
  const before = process.cpuUsage();
  const compiled = (): boolean => bestMs > 1 || cpuMs(before) > COMPILE_MS;
  for (let steady = 0; (steady < STEADY_SAMPLES || !compiled()) && spentMs < WARM_MS;) {
    const ms = await elapsedMs(work, times);
    spentMs += ms;
    if (ms >= SAMPLE_MS) steady = ms / times > bestMs * HARDLY ? steady + 1 : 0;
    bestMs = Math.min(bestMs, ms / times);
    times = Math.min(MOST_TIMES, times * 4, Math.ceil((SAMPLE_MS * 1.2) / bestMs));
  }
  return times;
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function elapsedMs({ run, waits, after }: Work, times: number): Promise<number> {
  // Nothing else of this process gets a turn while it is timed: it gets one before.
  await new Promise((resolve) => void setImmediate(resolve));
  const started = performance.now();
  if (waits) for (let time = 0; time < times; time += 1) await run();
  else for (let time = 0; time < times; time += 1) run();
  const ms = performance.now() - started;
  await after?.();
  return ms;
}
