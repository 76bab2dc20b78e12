/** Runs one hook: the only place where an event meets a runner. */
import type { HookEvent } from "../model/events.ts";
import type { Heard } from "../model/heard.ts";
import type { Hook } from "../model/hook.ts";
import type { Outcome } from "../model/outcome.ts";
import type { RunResult } from "../model/run.ts";
import { runCallback } from "../runners/callback.ts";
import { RUNNERS } from "../runners/index.ts";
import type { Payload, RunnerResult } from "../runners/runner.ts";
import type { Firing } from "./firing.ts";
import type { Interpretation, Voice } from "./words.ts";

/** How what a hook said is read. */
export type Interpret = (result: RunResult, how: Interpretation) => Outcome;

/** Runs a hook of any dialect on an event, and has what it said interpreted. */
export function hear(
  voice: Voice,
  event: HookEvent,
  { firing, interpret }: { readonly firing: Firing; readonly interpret: Interpret },
): Heard | Promise<Heard> {
  const payload = firing.payloads.payloadFor(event, voice);
  const startedMs = firing.run.now();
  const ran = run(voice.hook, payload, { event, firing });
  if (ran instanceof Promise) return ran.then((ended) => heardFrom(ended, { voice, event, durationMs: firing.run.now() - startedMs, interpret }));
  return heardFrom(ran, { voice, event, durationMs: firing.run.now() - startedMs, interpret });
}

/** A function of this process needs no surroundings, so none are made for it. */
function run(hook: Hook, payload: Payload, { event, firing }: { readonly event: HookEvent; readonly firing: Firing }): RunnerResult | Promise<RunnerResult> {
  const { type } = hook.action;
  const standIn = firing.run.runners[type];
  if (type === "callback" && !standIn) return runCallback(hook, payload, firing);
  return (standIn ?? RUNNERS[type])(hook, payload, firing.contextAt(event));
}

function heardFrom(
  { result, stubbed, remarks }: RunnerResult,
  {
    voice: { hook, dialect, row },
    event,
    durationMs,
    interpret,
  }: { readonly voice: Voice; readonly event: HookEvent; readonly durationMs: number; readonly interpret: Interpret },
): Heard {
  return { hook, run: { result, durationMs, stubbed, remarks }, outcome: interpret(result, { hook, dialect, row, tool: event.tool }) };
}
