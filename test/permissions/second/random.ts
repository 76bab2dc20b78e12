/** A reproducible source of choices. */
export interface Random {
  below(limit: number): number;
  chance(percent: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** The same seed gives the same choices, on every machine (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (percent) => next() * 100 < percent,
    pick: (list) => {
      const value = list[below(list.length)];
      if (value === undefined) throw new RangeError("Nothing to pick from.");
      return value;
    },
  };
}
