/** Hooks that a program gives as functions, in the native dialect's words. */
import { DIALECTS } from "../dialects/index.ts";
import type { JsonObject } from "../lib/json.ts";
import { takesNothing } from "../lib/function.ts";
import { trusted } from "../lib/trusted.ts";
import type { EventName, EventOf } from "../model/events.ts";
import { completePolicy, type FaultTable } from "../model/failure.ts";
import { NO_SANDBOX, type Callback, type Hook } from "../model/hook.ts";
import type { Verdict } from "../model/verdict.ts";

/** What a function may answer: the native dialect's words. */
export interface NativeAnswer {
  readonly verdict?: Verdict;
  readonly reason?: string;
  readonly input?: JsonObject;
  readonly context?: string | readonly string[];
  readonly feedback?: string | readonly string[];
  readonly message?: string | readonly string[];
  readonly rules?: string | readonly string[];
  readonly interrupt?: boolean;
}

/** One function as a hook; what it is called with depends on its event. */
export interface LibraryHook<Name extends EventName> {
  readonly event: Name;
  readonly name?: string;
  /** Exact names of tools (or of the event's subject); all when absent. */
  readonly matcher?: readonly string[];
  /** A permission pattern that the call must meet. */
  readonly if?: string;
  readonly timeoutMs?: number;
  /** What happens when it fails: one word, or a word by kind of failure. */
  readonly onFault?: Verdict | FaultTable;
  readonly once?: boolean;
  readonly async?: boolean;
  readonly call: (
    event: LibraryEvent<Name>,
    options: { readonly signal: AbortSignal },
  ) => NativeAnswer | undefined | void | Promise<NativeAnswer | undefined | void>;
}

/** A hook of any event. */
export type AnyLibraryHook = { readonly [Name in EventName]: LibraryHook<Name> }[EventName];

/** The event as a function sees it: canonical, with the tool spelled canonically. */
export type LibraryEvent<Name extends EventName> = { readonly event: Name } & Omit<EventOf<Name>, "name">;

/** Types a hook by its event. */
export function defineHook<Name extends EventName>(hook: LibraryHook<Name>): LibraryHook<Name> {
  return hook;
}

/** The hook that calls the function. */
export function libraryHook(given: AnyLibraryHook): Hook {
  const { snaphook } = DIALECTS;
  return {
    name: given.name ?? (given.call.name || "function"),
    dialect: snaphook.id,
    wireName: given.event,
    events: [given.event],
    layer: "run",
    source: null,
    matcher: given.matcher ? { kind: "names", names: given.matcher } : { kind: "all" },
    condition: given.if ?? null,
    action: { type: "callback", callback: callbackOf(given.call), module: null },
    timeoutMs: given.timeoutMs ?? snaphook.timeoutMs,
    onFault: completePolicy(given.onFault ?? null, snaphook.onFault),
    once: given.once ?? false,
    async: given.async ?? false,
    yields: false,
    env: {},
    passEnv: [],
    sandbox: NO_SANDBOX,
    plugin: null,
  };
}

/** Canonical words first, then the options: a function of the library has no use for the tool's id. One that takes nothing stays one. */
function callbackOf(call: AnyLibraryHook["call"]): Callback {
  return takesNothing(call) ? trusted<Callback>(call) : (input, _toolUseId, options) => call(trusted<never>(input), options);
}
