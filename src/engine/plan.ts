/** Who runs at an event, and in which order: worked out once for each set of hooks, not at each event. */
import type { Dialect } from "../dialects/dialect.ts";
import { EVENTS, type EventName } from "../model/events.ts";
import type { Callback, Hook } from "../model/hook.ts";
import { isPromising, takesNothing } from "../lib/function.ts";
import { Silence } from "./silence.ts";
import { voiceOf, type Voice } from "./words.ts";

/** Neighbours of one dialect: they run as that dialect orders them. */
export interface Group {
  readonly voices: readonly Voice[];
  readonly order: Dialect["order"];
}

/** The hooks that an event may concern, sorted for the run. */
export interface Plan {
  /** Whether the decision has to tell a tool's result as the model will see it, whatever hooks and gate say. */
  readonly tellsResult: boolean;
  /** All of them in configured order. */
  readonly hooks: readonly Hook[];
  /** Asked before the permission gate. */
  readonly early: readonly Group[];
  /** Asked after it. */
  readonly late: readonly Group[];
  /** Not waited for: one chain for each dialect. */
  readonly detached: readonly (readonly Group[])[];
  /** Whether some hook must be asked about each event: it has a condition, or runs once. */
  readonly choosy: boolean;
  /** All of them, where each is a function that is asked before the gate and waited for. */
  readonly functions: readonly FunctionVoice[] | null;
  /** The same as what they are called as, where all of them see nothing, promise an answer and are called one after another. */
  readonly chain: readonly (() => Promise<unknown>)[] | null;
  /** What is told of them when none has anything to say. */
  readonly silence: Silence | null;
}

/** A hook that is a function. */
export interface FunctionVoice extends Voice {
  readonly callback: Callback;
  /** The same where it can't see what it is called with: nothing is written for it. */
  readonly deaf: (() => unknown) | null;
}

/** Sorts the hooks of an event for the run. */
export function planOf(event: EventName, hooks: readonly Hook[]): Plan {
  const voices = hooks.map(voiceOf);
  const isDetached = ({ hook, row }: Voice): boolean => hook.async || row.pace === "detach";
  const isLate = ({ dialect }: Voice): boolean => dialect.gate === "permission-first";
  const awaited = voices.filter((voice) => !isDetached(voice));
  const early = awaited.filter((voice) => !isLate(voice));
  const late = awaited.filter(isLate);
  const detached = voices.filter(isDetached);
  const dialects = [...new Set(detached.map(({ dialect }) => dialect))];
  const functions = early.length === voices.length ? functionsOf(early) : null;
  return {
    tellsResult: EVENTS[event].result === "of-ended",
    hooks,
    early: groupsOf(early),
    late: groupsOf(late),
    detached: dialects.map((dialect) => groupsOf(detached.filter((voice) => voice.dialect === dialect))),
    choosy: hooks.some((hook) => hook.condition !== null || hook.once),
    functions,
    chain: functions && chainOf(functions),
    silence: functions && new Silence(hooks),
  };
}

function functionsOf(voices: readonly Voice[]): readonly FunctionVoice[] | null {
  const functions = voices.flatMap((voice): FunctionVoice[] => {
    const { action } = voice.hook;
    return action.type === "callback" && typeof action.callback === "function"
      ? [{ ...voice, callback: action.callback, deaf: takesNothing(action.callback) ? action.callback : null }]
      : [];
  });
  return functions.length === voices.length ? functions : null;
}

function chainOf(functions: readonly FunctionVoice[]): Plan["chain"] {
  const chain = functions.flatMap(({ callback, dialect }) => (isPromising(callback) && dialect.order !== "parallel" ? [callback] : []));
  return chain.length === functions.length ? chain : null;
}

/** Neighbours of one dialect, put together. */
export function groupsOf(voices: readonly Voice[]): readonly Group[] {
  const groups: { readonly voices: Voice[]; readonly order: Dialect["order"] }[] = [];
  for (const voice of voices) {
    const last = groups.at(-1);
    if (last?.voices[0]?.dialect === voice.dialect) last.voices.push(voice);
    else groups.push({ voices: [voice], order: voice.dialect.order });
  }
  return groups;
}
