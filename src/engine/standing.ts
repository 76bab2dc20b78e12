/** What the configuration adds to every decision: floors where a guard may be missing, and notices of what was wrong or left out. */
import { lostGuards, type Configuration, type LeftOut } from "../config/load.ts";
import type { ConfigSource } from "../config/source.ts";
import { dialectById } from "../dialects/index.ts";
import { EVENTS, MISSING_GUARD, type EventName, type HookEvent } from "../model/events.ts";
import { goesOn } from "../model/failure.ts";
import { effectiveVerdict, type Heard } from "../model/heard.ts";
import type { Hook } from "../model/hook.ts";
import type { Notice } from "../model/notice.ts";
import type { Floor } from "./merge.ts";

const EVENT_NAMES = Object.keys(EVENTS).filter((name): name is EventName => Object.hasOwn(EVENTS, name));
const NO_FLOORS: readonly Floor[] = [];

/** Worked out once for each event; hooks that may not run any more are looked up each time. */
export class Standing {
  readonly #floors: ReadonlyMap<EventName, readonly Floor[]>;
  readonly #notices: ReadonlyMap<EventName, readonly Notice[]>;
  readonly #configured: readonly Notice[];
  readonly #refused: ReadonlyMap<Hook, string>;

  /** `refused`: hooks that were armed and may not run any more, and why. */
  constructor(configuration: Configuration, refused: ReadonlyMap<Hook, string>) {
    const { files, notices, leftOut } = configuration;
    const unread = files.filter(({ broken }) => broken).map(({ source }) => source);
    const floors = EVENT_NAMES.map((name) => [name, floorsAt(name, { unread, lost: lostGuards(configuration, name) })] as const);
    this.#floors = new Map(floors.filter(([, list]) => list.length > 0));
    this.#notices = new Map(leftOut.length === 0 ? [] : EVENT_NAMES.map((name) => [name, [...notices, ...leftOutAt(name, leftOut)]]));
    this.#configured = notices;
    this.#refused = refused;
  }

  /** Whether a guard may be missing, so that there are floors whatever the hooks say. */
  guardMissing({ name }: HookEvent): boolean {
    return this.#floors.size > 0 && this.#floors.has(name);
  }

  /** A guard that could not be read, that changed before or while it ran, that was cut short, or that may have seen only part of a call, makes the call a question. */
  floors({ name }: HookEvent, heard: readonly Heard[]): readonly Floor[] {
    if (this.#floors.size === 0 && this.#refused.size === 0 && heard.every(isWhole)) return NO_FLOORS;
    if (MISSING_GUARD[name] !== "ask") return this.#floors.get(name) ?? NO_FLOORS;
    return [
      ...(this.#floors.get(name) ?? NO_FLOORS),
      ...heard.filter(({ hook }) => this.#refused.has(hook)).map(({ hook }) => ask(`${hook.name} was not run: ${this.#refused.get(hook)}`)),
      ...heard
        .filter((each) => each.outcome.fault?.kind === "changed" && effectiveVerdict(each) === null)
        .map(({ hook, outcome }) => ask(`${hook.name} does not count: ${outcome.fault?.message}`)),
      ...heard
        .filter(({ hook, run }) => run.result.kind === "timed-out" && run.result.event && goesOn(hook.onFault) && isForeign(hook))
        .map(({ hook }) => ask(`the event's time was used up before ${hook.name} had answered`)),
      ...heard
        .filter(({ run }) => run.stubbed.length > 0)
        .map(({ hook }) => ask(`the input did not fit into a variable, so ${hook.name} may not have seen all of it`)),
    ];
  }

  /** Problems of the configuration are told with every decision; the hooks left out, with the events they were for. */
  notices({ name }: HookEvent): readonly Notice[] {
    const notices = this.#notices.size === 0 ? this.#configured : (this.#notices.get(name) ?? this.#configured);
    if (this.#refused.size === 0) return notices;
    const late = [...this.#refused].map(([hook, reason]) => ({ hook, message: `${hook.name} was left out: ${reason}` }));
    return [...notices, ...leftOutAt(name, late)];
  }
}

/** Without a fault, not cut short, and shown all of its input. */
function isWhole({ run, outcome }: Heard): boolean {
  return outcome.fault === null && run.result.kind !== "timed-out" && run.stubbed.length === 0;
}

/** What stands at an event whatever its hooks say. */
function floorsAt(name: EventName, { unread, lost }: { readonly unread: readonly ConfigSource[]; readonly lost: readonly LeftOut[] }): readonly Floor[] {
  const means = MISSING_GUARD[name];
  if (means === "ask") return [...unread.map(({ path }) => ask(unreadText(path))), ...lost.map(({ message }) => ask(message))];
  if (means === "deny-managed") return unread.filter(({ layer }) => layer === "managed").map(({ path }) => ({ verdict: "deny", reason: unreadText(path) }));
  return NO_FLOORS;
}

function unreadText(path: string): string {
  return `${path} can't be read, so a guard in it may be missing`;
}

/** Another agent's default lets a call go on when a hook overran its own time; that we cut the hook short is not in its words. */
function isForeign({ dialect }: Hook): boolean {
  return dialectById(dialect)?.onFault === "allow";
}

function ask(reason: string): Floor {
  return { verdict: "ask", reason };
}

function leftOutAt(name: EventName, left: readonly { readonly hook: Hook; readonly message: string }[]): readonly Notice[] {
  const concerned = left.filter(({ hook }) => hook.events.includes(name));
  return concerned.map(({ hook, message }): Notice => ({ kind: "not-trusted", message, hook: hook.name, ...hook.source }));
}
