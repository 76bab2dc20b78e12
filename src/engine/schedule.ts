/** The order of runs: one after another, side by side, stop at the first deny. Results keep the configured order [P2]. */
import type { JsonObject } from "../lib/json.ts";
import type { HookEvent } from "../model/events.ts";
import { effectiveVerdict, unheard, type Heard } from "../model/heard.ts";
import type { Notice } from "../model/notice.ts";
import type { Group } from "./plan.ts";
import type { Voice } from "./words.ts";

/** Runs one hook on the event as it stands now; a promise only where the hook makes us wait. */
export interface Hear {
  hear(voice: Voice, event: HookEvent): Heard | Promise<Heard>;
}

/** What came of the runs. */
export interface Scheduled {
  readonly heard: readonly Heard[];
  /** The event after the last rewrite. */
  readonly event: HookEvent;
  readonly notices: readonly Notice[];
}

/** Runs hooks in their dialects' order. Rewrites compose in configured order [P3]. Nothing is waited for that has answered at once. */
export function schedule(groups: readonly Group[], event: HookEvent, listener: Hear): Scheduled | Promise<Scheduled> {
  if (groups.length === 0) return { heard: NOBODY, event, notices: NOTHING };
  return goOn({ groups, listener, group: 0, voice: 0, event, heard: [], notices: [], denied: [] });
}

const NOBODY: readonly Heard[] = [];
const NOTHING: readonly Notice[] = [];

/** How far the runs have come. */
interface Walk {
  readonly groups: readonly Group[];
  readonly listener: Hear;
  group: number;
  /** The next of its voices, where they run one after another. */
  voice: number;
  event: HookEvent;
  readonly heard: Heard[];
  readonly notices: Notice[];
  /** Dialects of which a hook denied, and whose others are skipped. */
  readonly denied: string[];
}

function goOn(walk: Walk): Walk | Promise<Walk> {
  for (; walk.group < walk.groups.length; walk.group += 1, walk.voice = 0) {
    const group = walk.groups[walk.group];
    if (!group) break;
    const waits = group.order === "parallel" ? sideBySide(walk, group) : oneByOne(walk, group);
    if (waits) return waits;
  }
  return walk;
}

/** A promise of the whole walk where a hook of this group makes us wait; undefined when the group is through. */
function oneByOne(walk: Walk, { voices, order }: Group): Promise<Walk> | undefined {
  while (walk.voice < voices.length) {
    const voice = voices[walk.voice];
    if (!voice) break;
    walk.voice += 1;
    if (walk.denied.includes(voice.dialect.id)) {
      walk.heard.push(unheard(voice.hook, { kind: "skipped", why: "a hook before it denied" }));
      continue;
    }
    const result = walk.listener.hear(voice, walk.event);
    if (result instanceof Promise) return result.then((heard) => goOn(take(walk, heard, order)));
    take(walk, result, order);
  }
  return undefined;
}

function take(walk: Walk, heard: Heard, order: Group["order"]): Walk {
  walk.heard.push(heard);
  walk.event = rewritten(walk.event, heard);
  if (order === "until-deny" && effectiveVerdict(heard) === "deny") walk.denied.push(heard.hook.dialect);
  return walk;
}

function sideBySide(walk: Walk, { voices }: Group): Promise<Walk> | undefined {
  const results = voices.map((voice) => walk.listener.hear(voice, walk.event));
  if (results.every((result): result is Heard => !(result instanceof Promise))) {
    takeAll(walk, results);
    return undefined;
  }
  return Promise.all(results.map(async (result) => result)).then((heard) => {
    takeAll(walk, heard);
    walk.group += 1;
    return goOn(walk);
  });
}

function takeAll(walk: Walk, results: readonly Heard[]): void {
  const rewriters = results.filter(rewrite);
  const last = rewriters.at(-1);
  if (last) walk.event = rewritten(walk.event, last);
  if (rewriters.length > 1) walk.notices.push(overridden(rewriters));
  walk.heard.push(...results);
}

function rewrite({ outcome }: Heard): JsonObject | undefined {
  return outcome.effects.length === 0 ? undefined : outcome.effects.findLast((effect) => effect.kind === "input")?.value;
}

function rewritten(event: HookEvent, heard: Heard): HookEvent {
  const input = rewrite(heard);
  if (!input || !event.tool) return event;
  const { rawInput: _, ...tool } = event.tool;
  return { ...event, tool: { ...tool, input } };
}

function overridden(rewriters: readonly Heard[]): Notice {
  const names = rewriters.map(({ hook }) => hook.name);
  const winner = names.at(-1) ?? "";
  return {
    kind: "rewrite",
    message: `${names.slice(0, -1).join(", ")} and ${winner} rewrote the same call side by side; ${winner} stands later in the configuration and wins`,
    hook: winner,
  };
}
