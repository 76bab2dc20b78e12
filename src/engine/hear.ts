/** Runs one hook: the only place where an event meets a runner. */
import { turn } from "../lib/turns.ts";
import type { HookEvent } from "../model/events.ts";
import { unheard, type Heard } from "../model/heard.ts";
import { isWarm, type Hook } from "../model/hook.ts";
import { NO_OPINION, type Outcome } from "../model/outcome.ts";
import type { RunResult } from "../model/run.ts";
import { runCallback, SAID_NOTHING } from "../runners/callback.ts";
import { RUNNERS } from "../runners/index.ts";
import type { Payload, RunnerResult } from "../runners/runner.ts";
import type { Firing } from "./firing.ts";
import type { Interpretation, Voice } from "./words.ts";

/** How what a hook said is read. */
export type Interpret = (result: RunResult, how: Interpretation) => Outcome;

/** A run that has begun. */
export interface Run {
  readonly ran: RunnerResult | Promise<RunnerResult>;
  readonly startedMs: number;
}

/** What a hook is heard with. */
export interface Hearing {
  readonly firing: Firing;
  readonly interpret: Interpret;
  /** What is made of what was heard, in the same moment. */
  readonly take: (heard: Heard, event: HookEvent) => Heard;
}

/** Runs a hook of any dialect on an event, and has what it said interpreted. */
export function hear(voice: Voice, event: HookEvent, hearing: Hearing): Heard | Promise<Heard> {
  // What must be started takes turns: many at once must not stop the event loop. Whether a hook may run is looked at when its turn has come.
  const mine = isThere(voice.hook, hearing.firing) ? undefined : turn();
  return mine ? mine.then(() => hearNow(voice, event, hearing)) : hearNow(voice, event, hearing);
}

/** Whether nothing has to be started: a function, or a process that stayed. */
function isThere(hook: Hook, { run: { workers } }: Firing): boolean {
  return hook.action.type === "callback" || (isWarm(hook.action) && workers.running(hook) !== undefined);
}

function hearNow(voice: Voice, event: HookEvent, hearing: Hearing): Heard | Promise<Heard> {
  const { firing } = hearing;
  const refusal = firing.run.refusal(voice.hook, event.cwd ?? firing.run.cwd);
  if (refusal !== null) return hearing.take(unheard(voice.hook, { kind: "skipped", why: refusal }), event);
  const payload = firing.payloads.payloadFor(event, voice);
  const startedMs = firing.run.now();
  const hook = firing.inTime(voice.hook);
  const ran = hook ? run(hook, payload, { event, firing }) : firing.ranOut();
  return hearOut({ ran: hook === voice.hook ? ran : firing.withinEvent(ran), startedMs }, voice, event, hearing);
}

/** Waits for the end of a run where it must be waited for. */
export function hearOut({ ran, startedMs }: Run, voice: Voice, event: HookEvent, { firing, interpret, take }: Hearing): Heard | Promise<Heard> {
  const { hook, dialect, row } = voice;
  const heardFrom = ({ result, stubbed, remarks }: RunnerResult): Heard => {
    const ended = { result, durationMs: firing.run.now() - startedMs, stubbed, remarks };
    return take({ hook, run: ended, outcome: interpret(result, { hook, dialect, row, tool: event.tool }) }, event);
  };
  return ran instanceof Promise ? ran.then(heardFrom) : heardFrom(ran);
}

/** A function that was called and said nothing. */
export function silent(hook: Hook, durationMs: number): Heard {
  return { hook, run: { ...SAID_NOTHING, durationMs }, outcome: NO_OPINION };
}

/** A function of this process and a process that stayed need no surroundings, so none are made for them; but who is held to an approval is looked at again. */
function run(hook: Hook, payload: Payload, { event, firing }: { readonly event: HookEvent; readonly firing: Firing }): RunnerResult | Promise<RunnerResult> {
  const { type } = hook.action;
  const standIn = firing.run.runners[type];
  if (type === "callback" && !standIn) return runCallback(hook, payload, firing);
  const worker = isWarm(hook.action) && !standIn && firing.run.vouch(hook) === null ? firing.run.workers.running(hook) : undefined;
  if (worker) return worker.ask(hook, payload.stdinText, firing.callerSignal);
  return (standIn ?? RUNNERS[type])(hook, payload, firing.contextAt(event, { ours: !standIn }));
}
