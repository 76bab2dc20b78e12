/** Functions that say nothing, as most do at most events: called in their order, with nothing made for them that nobody reads. */
import type { HookEvent } from "../model/events.ts";
import { callFunction, SAID_NOTHING } from "../runners/callback.ts";
import type { RunnerResult } from "../runners/runner.ts";
import type { Firing } from "./firing.ts";
import type { Run } from "./hear.ts";
import type { FunctionVoice } from "./plan.ts";

/** How far the functions were called: until one said something. */
export interface HeadStart {
  /** How long each of the first took, which had nothing to say. */
  readonly silentMs: readonly number[];
  /** The next one's run, where it has something to say. */
  readonly next: Run | null;
}

/** Nobody was called. */
export const NOBODY_CALLED: HeadStart = { silentMs: [], next: null };

/** Calls functions until one has something to say, and waits only for those that make us wait. */
export function headStart(voices: readonly FunctionVoice[], event: HookEvent, firing: Firing): HeadStart | Promise<HeadStart> {
  const silentMs: number[] = [];
  const { now } = firing.run;
  // The end of one is the start of the next, so that the clock is read once for each.
  let startedMs = now();
  for (const voice of voices) {
    const ran = callVoice(voice, event, firing);
    if (ran !== SAID_NOTHING)
      return isSequential(voice, ran) ? waitOn(voices, { event, firing, silentMs, startedMs, ran }) : { silentMs, next: { ran, startedMs } };
    const endedMs = now();
    silentMs.push(endedMs - startedMs);
    startedMs = endedMs;
  }
  return { silentMs, next: null };
}

/** Whether the functions behind this one must wait for it, so that we may wait here. */
function isSequential({ dialect }: FunctionVoice, ran: RunnerResult | Promise<RunnerResult>): ran is Promise<RunnerResult> {
  return ran instanceof Promise && dialect.order !== "parallel";
}

interface Waiting {
  readonly event: HookEvent;
  readonly firing: Firing;
  readonly silentMs: number[];
  readonly startedMs: number;
  readonly ran: Promise<RunnerResult>;
}

async function waitOn(voices: readonly FunctionVoice[], { event, firing, silentMs, ...first }: Waiting): Promise<HeadStart> {
  const { now } = firing.run;
  let { startedMs } = first;
  let ran: RunnerResult | Promise<RunnerResult> = first.ran;
  for (;;) {
    const result = ran instanceof Promise ? await ran : ran;
    if (result !== SAID_NOTHING) return { silentMs, next: { ran: result, startedMs } };
    const endedMs = now();
    silentMs.push(endedMs - startedMs);
    startedMs = endedMs;
    const voice = voices[silentMs.length];
    if (!voice) return { silentMs, next: null };
    ran = callVoice(voice, event, firing);
    if (ran instanceof Promise && !isSequential(voice, ran)) return { silentMs, next: { ran, startedMs } };
  }
}

function callVoice(voice: FunctionVoice, event: HookEvent, firing: Firing): RunnerResult | Promise<RunnerResult> {
  const { callback, listens } = voice;
  const hook = firing.inTime(voice.hook);
  if (!hook) return firing.ranOut();
  const input = listens ? firing.payloads.inputFor(event, voice) : undefined;
  const ran = callFunction(callback, { hook, input, toolUseId: event.tool?.useId, context: firing });
  return hook === voice.hook ? ran : firing.withinEvent(ran);
}
