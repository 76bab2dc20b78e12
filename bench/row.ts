/** What a row of the benchmark is: a limit, peers and ours, measured at one or more points, and a goal. */

/** One side of a row, opened in a process of its own: its heap and its compiled code are nobody else's. */
export interface Contender {
  readonly name: string;
  /** Live objects that its process holds before it is opened, in megabytes. */
  readonly heapMb?: number;
  /** Makes it ready; rejects with `Unavailable` where it can't be measured here. */
  readonly open: () => Promise<Opened>;
}

/** A contender that is ready. */
export interface Opened {
  /** Microseconds of one operation, for each point of the row. */
  readonly sample: () => Promise<readonly number[]>;
  readonly close: () => Promise<void> | void;
}

/** What ours has to reach. All goals of a row hold, at every point, or the row is short. */
export type Goal =
  /** At most this many times another contender of the row, one number for each point or one for all. */
  | { readonly kind: "times"; readonly of: string; readonly atMost: readonly number[] }
  /**
   * At most so many microseconds. Times drift from run to run: where the limit takes longer than it took when the goal was set, the goal
   * grows with it.
   */
  | { readonly kind: "within"; readonly microseconds: readonly number[]; readonly limitThen?: readonly number[] }
  /** From the first point to the last, at most so many times. */
  | { readonly kind: "growth"; readonly atMost: number };

/** One line of the table. */
export interface Row {
  /** How `--only` names it. */
  readonly name: string;
  readonly what: string;
  /** What the points are: numbers of hooks or rules, bytes. Absent: one point. */
  readonly points?: Points;
  readonly limit: Contender | null;
  readonly peers: readonly Contender[];
  readonly ours: Contender;
  readonly goals: readonly Goal[];
  /** Rounds where a sample is expensive; `--rounds` overrules it. */
  readonly rounds?: number;
}

/** The points of a row, as numbers for an axis and as words. */
export interface Points {
  readonly axis: string;
  readonly at: readonly number[];
}

/** The reason why a contender can't be measured here, in words that stand in the table. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}

/** All sides of a row, with the part each plays. */
export function contendersOf(row: Row): readonly { readonly role: Role; readonly contender: Contender }[] {
  return [
    ...(row.limit ? [{ role: "limit" as const, contender: row.limit }] : []),
    ...row.peers.map((contender) => ({ role: "peer" as const, contender })),
    { role: "ours" as const, contender: row.ours },
  ];
}

/** The part that a contender plays in its row. */
export type Role = "limit" | "peer" | "ours";
