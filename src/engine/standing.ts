/** What a configuration itself has to say at an event: guards that are missing, and problems to tell. */
import { lostGuards, type Configuration } from "../config/load.ts";
import { EVENTS } from "../model/events.ts";
import type { Heard } from "../model/heard.ts";
import type { Hook } from "../model/hook.ts";
import type { Notice } from "../model/notice.ts";
import type { FireContext } from "./fire.ts";
import type { Floor } from "./merge.ts";

/** Hooks that were refused when they were about to run, and why. */
type Refused = ReadonlyMap<Hook, string>;

const NO_FLOORS: readonly Floor[] = [];

function ask(reason: string): Floor {
  return { verdict: "ask", reason };
}

/** Whether some guard could not be read, or is not what was approved, so that there are floors whatever the hooks say. */
export function missesGuards({ broken, leftOut }: Configuration): boolean {
  return broken.length > 0 || leftOut.some(({ state }) => state === "changed" || state === "refused");
}

/** A guard that could not be read, that changed, or that may have seen only part of a call, makes the call a question. */
export function floorsIn(configuration: Configuration, refused: Refused): FireContext["floors"] {
  const unread = configuration.broken.map((file) => ask(`${file} can't be read, so a guard in it may be missing`));
  const partlySeen = ({ hook }: Heard): Floor => ask(`the input did not fit into a variable, so ${hook.name} may not have seen all of it`);
  const notRun = ({ hook }: Heard): Floor => ask(`${hook.name} was not run: ${refused.get(hook)}`);
  return (event, heard) => {
    if (!EVENTS[event.name].gated) return NO_FLOORS;
    const lost = lostGuards(configuration, event.name);
    const refusals = refused.size === 0 ? [] : heard.filter(({ hook }) => refused.has(hook));
    const stubbed = heard.filter(({ run }) => run.stubbed.length > 0);
    if (lost.length + refusals.length + stubbed.length === 0) return unread;
    return [...unread, ...lost.map(({ message }) => ask(message)), ...refusals.map(notRun), ...stubbed.map(partlySeen)];
  };
}

/** Problems of the configuration are told with every decision; the hooks left out, with the events they were for. */
export function noticesIn({ notices, leftOut }: Configuration, refused: Refused): FireContext["notices"] {
  const byEvent = new Map<string, readonly Notice[]>();
  for (const name of new Set(leftOut.flatMap(({ hook }) => hook.events))) {
    const left = leftOut.filter(({ hook }) => hook.events.includes(name));
    byEvent.set(name, [...notices, ...left.map(({ hook, message }) => leftOutNotice(hook, message))]);
  }
  return ({ name }) => {
    const known = byEvent.size === 0 ? notices : (byEvent.get(name) ?? notices);
    if (refused.size === 0) return known;
    const late = [...refused].filter(([hook]) => hook.events.includes(name));
    return [...known, ...late.map(([hook, reason]) => leftOutNotice(hook, `${hook.name} was left out: ${reason}`))];
  };
}

function leftOutNotice(hook: Hook, message: string): Notice {
  return { kind: "not-trusted", message, hook: hook.name, ...hook.source };
}
