/** Logarithmic scales. */

/** A range of values on a stretch of the drawing. */
export interface Scale {
  readonly place: (value: number) => number;
  /** Powers of ten within the range. */
  readonly decades: readonly number[];
}

/** Values from `from` to `to`, drawn from `start` to `end`. */
export function logScale({ from, to, start, end }: { readonly from: number; readonly to: number; readonly start: number; readonly end: number }): Scale {
  const low = Math.log10(from);
  const width = Math.log10(to) - low || 1;
  const decades: number[] = [];
  for (let power = Math.ceil(low - 1e-9); power <= Math.log10(to) + 1e-9; power += 1) decades.push(10 ** power);
  return { place: (value) => start + ((Math.log10(value) - low) / width) * (end - start), decades };
}

/** The powers of ten around all values. */
export function decadesAround(values: readonly number[]): { readonly from: number; readonly to: number } {
  return { from: 10 ** Math.floor(Math.log10(Math.min(...values))), to: 10 ** Math.ceil(Math.log10(Math.max(...values))) };
}
