import { resolve } from "node:path";
import { ALWAYS, locateConfigs, surroundings } from "../config/locate.ts";
import { DIALECT_LIST } from "../dialects/index.ts";
import { createEngine, type Engine, type EngineOptions } from "../engine/engine.ts";
import { readEvent } from "../engine/event-input.ts";
import { eventNamed } from "../engine/event-name.ts";
import { messageOf } from "../lib/errors.ts";
import { isObject } from "../lib/json.ts";
import { EVENTS, type HookEvent } from "../model/events.ts";
import { SnaphookError } from "../model/errors.ts";
import type { Recorder } from "../model/recorder.ts";
import { AUDIT_OPTION } from "./audit/place.ts";
import { openRecording } from "./audit/recording.ts";
import { loadCallbacks } from "./callbacks.ts";
import type { Command, Surface, Words } from "./command.ts";
import { CONFIG_OPTIONS, configsOf, trustOf } from "./config-options.ts";
import { decisionJson } from "../model/decision-json.ts";

/** `snaphook fire <event>`. */
export const fireCommand: Command = {
  summary: "fire one event: canonical JSON on stdin, decision JSON on stdout",
  usage: "fire <event> [--config FILE]… [--dialect ID] [--callbacks FILE] [--cwd DIR] < event.json",
  options: {
    ...CONFIG_OPTIONS,
    ...AUDIT_OPTION,
    callbacks: { type: "string", value: "FILE", help: "an ES module whose exports are the callbacks that files name" },
  },
  notes: [
    `Events: ${Object.keys(EVENTS).join(", ")}; a dialect's own name works where its dialect is known.`,
    "Hooks that nobody waits for (post events of Lime and Goose, async hooks) run on after the decision was printed;",
    "the command ends when they have ended.",
    "Decisions are recorded (`snaphook audit`) where the configuration was found, not named, where there are managed settings, or where SNAPHOOK_AUDIT says so.",
  ],
  run: async (words, surface) => {
    const [name, ...more] = words.positionals;
    if (name === undefined || more.length > 0)
      throw new SnaphookError("SNAP_USAGE", { message: "fire takes one event: snaphook fire tool.before < event.json" });
    const cwd = resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? ".");
    const input = parseInput(await surface.stdin());
    const recording = await openRecording(words, surface, { byDefault: configsOf(words).length === 0 || isManaged(surface, cwd) });
    const engine = await openEngine(words, surface, { cwd, ...recording.options });
    try {
      // Without hooks and functions there is nothing that could be ended, and listening for signals costs a start half a millisecond.
      const isAlone = engine.configuration.hooks.length === 0 && words.values["callbacks"] === undefined;
      const options = isAlone ? {} : { signal: surface.signal };
      const decision = await engine.fire(eventOf(name, input, engine), options);
      surface.stdout(`${JSON.stringify(decisionJson(decision))}\n`);
      await engine.settled();
      return decision.verdict === "deny" ? 2 : 0;
    } finally {
      await engine.close();
      await recording.close();
    }
  },
};

/** Managed settings hold whatever is named, and may want a record. */
function isManaged({ env }: Surface, cwd: string): boolean {
  return locateConfigs(surroundings({ cwd, env }), ALWAYS).length > 0;
}

async function openEngine(words: Words, surface: Surface, { cwd, recorder }: { cwd: string; recorder?: Recorder }): Promise<Engine> {
  const configs = configsOf(words);
  const callbacks = words.values["callbacks"]?.at(-1);
  const options = { cwd, env: surface.env, configs, ...(recorder && { recorder }), ...trustOf(words) };
  const engine = await (surface.openEngine ?? openCold)(options, callbacks === undefined ? undefined : resolve(cwd, callbacks));
  const { broken, files, notices } = engine.configuration;
  if (configs.length > 0 && files.every(({ source }) => !source.named || broken.includes(source.path))) {
    const problem = notices.find((notice) => notice.kind === "unreadable-file");
    throw new SnaphookError("SNAP_BAD_CONFIG", {
      message: problem ? `${problem.file}:${problem.line}:${problem.column}: ${problem.message}` : "no configuration could be read",
    });
  }
  return engine;
}

async function openCold(options: EngineOptions, callbacks: string | undefined): Promise<Engine> {
  return createEngine({ ...options, ...(callbacks !== undefined && { callbacks: await loadCallbacks(callbacks) }) });
}

function eventOf(name: string, input: unknown, { configuration }: Engine): HookEvent {
  const tool = isObject(input) && isObject(input["tool"]) ? input["tool"] : {};
  const files = configuration.files.some(({ source }) => source.named) ? configuration.files.filter(({ source }) => source.named) : configuration.files;
  const named = files.flatMap((file) => file.source.dialects);
  const dialects = named.length > 0 ? [...new Set(named)] : DIALECT_LIST;
  return readEvent(eventNamed(name, { dialects, failed: tool["isError"] === true }), input);
}

function parseInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new SnaphookError("SNAP_BAD_EVENT", { message: `stdin is not JSON: ${messageOf(error)}` });
  }
}
