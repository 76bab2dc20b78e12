/** Tries a call again where that can help. */
import { setTimeout as wait } from "node:timers/promises";
import { ModelError } from "./model.ts";

/** Why a call failed, and whether another try can help. */
export interface Failure {
  /** What happened, at whose server. */
  readonly what: string;
  /** What to do about it. */
  readonly advice: string;
  readonly retry: boolean;
  /** What the server asks to wait; null: it does not say. */
  readonly retryAfterMs: number | null;
}

/** Told to whoever watches before the next try. */
export interface Waiting {
  readonly message: string;
  readonly waitMs: number;
  readonly nextTry: number;
  readonly tries: number;
}

/** Waits a while, or until cancelled. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

/** How often and how long a failed call is tried again. */
export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly failureOf: (error: unknown) => Failure;
  /** False once a part of the answer was shown: it can't be taken back. */
  readonly mayRetry: () => boolean;
  readonly sleep?: Sleep | undefined;
  readonly onWait?: ((waiting: Waiting) => void) | undefined;
}

/** Waits after the first, second and third failure. */
const BACKOFF_MS: readonly number[] = [1_000, 3_000, 9_000];
const TRIES = BACKOFF_MS.length + 1;
/** Who is asked to wait longer than this is told so instead. */
const LIMIT_WAIT_MS = 60_000;

/** Runs a call until it succeeds, can't be helped or was tried often enough. A cancelled call rejects with the signal's reason. */
export async function withRetries<T>(call: () => Promise<T>, { signal, failureOf, mayRetry, sleep = sleepHere, onWait }: RetryOptions): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      const failure = failureOf(error);
      const waitMs = Math.max(failure.retryAfterMs ?? 0, BACKOFF_MS[tries - 1] ?? 0);
      if (!failure.retry || !mayRetry() || tries === TRIES || waitMs > LIMIT_WAIT_MS) throw new ModelError(message(failure, tries));
      onWait?.({ message: failure.what, waitMs, nextTry: tries + 1, tries: TRIES });
      await sleep(waitMs, signal);
      signal.throwIfAborted();
    }
  }
}

function message({ what, advice, retryAfterMs }: Failure, tries: number): string {
  const often = tries > 1 ? `, ${tries} times` : "";
  const later = retryAfterMs !== null && retryAfterMs > LIMIT_WAIT_MS ? ` It asks to wait ${Math.ceil(retryAfterMs / 60_000)} minutes.` : "";
  return `${what}${often}: ${advice}${later}`;
}

const sleepHere: Sleep = async (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
