import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Alarm } from "../../src/lib/alarm.ts";

describe("an alarm", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const ringing = (now = (): number => Date.now()): { readonly alarm: Alarm; readonly rang: number[]; readonly start: number } => {
    const rang: number[] = [];
    const start = now();
    return { alarm: new Alarm(now, (at) => void rang.push(at - start)), rang, start };
  };

  test("rings for the earliest moment, and once", () => {
    const { alarm, rang, start } = ringing();
    alarm.by(start + 500);
    alarm.by(start + 100);
    alarm.by(start + 300);
    vi.advanceTimersByTime(1_000);
    expect(rang).toEqual([100]);
  });

  test("one that was stopped is silent, and can be set again", () => {
    const { alarm, rang, start } = ringing();
    alarm.by(start + 100);
    alarm.stop();
    vi.advanceTimersByTime(200);
    expect(rang).toEqual([]);
    alarm.by(start + 300);
    vi.advanceTimersByTime(200);
    expect(rang).toEqual([300]);
  });

  test("a moment in the past is now; one beyond Node's timers is rung for too early, not at once", () => {
    const { alarm, rang, start } = ringing();
    alarm.by(start + 1e12);
    vi.advanceTimersByTime(1_000_000);
    expect(rang).toEqual([]);
    alarm.by(start - 5);
    vi.advanceTimersByTime(1);
    expect(rang).toEqual([1_000_000]);
  });

  test("where the clock stands still, the moment has come all the same", () => {
    const { alarm, rang } = ringing(() => 7);
    alarm.by(107);
    vi.advanceTimersByTime(100);
    expect(rang).toEqual([100]);
  });
});
