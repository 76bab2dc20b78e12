/** The order of runs: one after another, side by side, stop at the first deny. Results keep the configured order [P2]. */
import type { JsonObject } from "../lib/json.ts";
import type { HookEvent } from "../model/events.ts";
import { effectiveVerdict, unheard, type Heard } from "../model/heard.ts";
import type { Hook } from "../model/hook.ts";
import type { Notice } from "../model/notice.ts";
import { wordsOf } from "./words.ts";

/** Runs one hook on the event as it stands now. */
export type Hear = (hook: Hook, event: HookEvent) => Promise<Heard>;

/** What came of the runs. */
export interface Scheduled {
  readonly heard: readonly Heard[];
  /** The event after the last rewrite. */
  readonly event: HookEvent;
  readonly notices: readonly Notice[];
}

/** Runs hooks in their dialects' order. Rewrites compose in configured order [P3]. */
export async function schedule(hooks: readonly Hook[], event: HookEvent, hear: Hear): Promise<Scheduled> {
  const heard: Heard[] = [];
  const notices: Notice[] = [];
  const denied = new Set<string>();
  let current = event;
  for (const group of groups(hooks)) {
    if (group.parallel) {
      const results = await Promise.all(group.hooks.map(async (hook) => hear(hook, current)));
      const rewriters = results.filter(rewrite);
      const last = rewriters.at(-1);
      if (last) current = rewritten(current, last);
      if (rewriters.length > 1) notices.push(overridden(rewriters));
      heard.push(...results);
      continue;
    }
    for (const hook of group.hooks) {
      if (denied.has(hook.dialect)) {
        heard.push(unheard(hook, { kind: "skipped", why: "a hook before it denied" }));
        continue;
      }
      const result = await hear(hook, current);
      heard.push(result);
      current = rewritten(current, result);
      if (group.untilDeny && effectiveVerdict(result) === "deny") denied.add(hook.dialect);
    }
  }
  return { heard, event: current, notices };
}

interface Group {
  readonly hooks: readonly Hook[];
  readonly parallel: boolean;
  readonly untilDeny: boolean;
}

/** Neighbours of one dialect run together, as that dialect orders them. */
function groups(hooks: readonly Hook[]): readonly Group[] {
  const found: { readonly hooks: Hook[]; readonly dialect: string; readonly parallel: boolean; readonly untilDeny: boolean }[] = [];
  for (const hook of hooks) {
    const last = found.at(-1);
    const { order } = wordsOf(hook).dialect;
    if (last?.dialect === hook.dialect) last.hooks.push(hook);
    else found.push({ hooks: [hook], dialect: hook.dialect, parallel: order === "parallel", untilDeny: order === "until-deny" });
  }
  return found;
}

function rewrite({ outcome }: Heard): JsonObject | undefined {
  return outcome.effects.findLast((effect) => effect.kind === "input")?.value;
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
