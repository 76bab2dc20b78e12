import { resolve } from "node:path";
import { permittedMode } from "../config/authority.ts";
import { surroundings } from "../config/locate.ts";
import { engineOf, prepareEngine, type EngineOptions, type Prepared } from "../engine/engine.ts";
import { SnaphookError } from "../model/errors.ts";
import { triedOutBy } from "../model/recorder.ts";
import { openRecording, type Recording } from "./audit/recording.ts";
import { loadCallbacks } from "./callbacks.ts";
import type { Command, Surface, Words } from "./command.ts";
import { CONFIG_OPTIONS, configsOf, trustOf } from "./config-options.ts";
import { CALL_OPTIONS, readCall } from "./why/call.ts";
import { eventOf, explain } from "./why/explain.ts";
import { explanationJson } from "./why/json.ts";
import { pageText } from "./why/page.ts";
import { MODE_OPTION, modeOf, sceneHere } from "./why/scene.ts";

/** `snaphook why "<command>"`. */
export const whyCommand: Command = {
  summary: "the verdict for a command or tool call under every configuration here, and why",
  usage: 'why "<command>" | ID | --tool TOOL --input JSON  [--mode MODE] [--run] [--config FILE]… [--json]',
  options: {
    ...CALL_OPTIONS,
    mode: MODE_OPTION,
    run: { type: "boolean", help: "run the trusted hooks too, and count what they say" },
    ...CONFIG_OPTIONS,
    log: { type: "string", value: "DIR", help: "the audit log in which a decision is looked up" },
    callbacks: { type: "string", value: "FILE", help: "an ES module whose exports are the callbacks that files name, for --run" },
  },
  notes: [
    "Finds every configuration that holds in this folder and explains the answer: each command of the text with its own verdict,",
    "the rule at file:line:column, the step that decided, the hooks that would run, and how files and modes differ.",
    "The id of a recorded decision explains that decision, from the audit log: who decided, by which rule or hook, and what became of it.",
    "`-` reads the command from stdin. No hook is run without --run; the command itself is never run.",
    "Where managed settings want everything on record, so is what --run does, as the session `why --run`.",
    "An answer of deny ends with 2, allow and ask with 0.",
  ],
  run: async (words, surface) => {
    const isId = words.positionals.length === 1 && /^[0-9a-f-]{12,36}$/.test(words.positionals[0] ?? "");
    const recorded = isId ? await (await import("./why/recorded.ts")).whyRecorded(words, surface) : undefined;
    if (recorded !== undefined) return recorded;
    const call = await readCall(words, surface, "why");
    const asked = modeOf(words);
    const cwd = resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? ".");
    const { home } = surroundings({ cwd, env: surface.env });
    const prepared = await prepare(words, surface, cwd);
    const { auditRequired } = prepared.configuration.authority;
    const recording = words.flags["run"] ? await openRecording(words, surface, { byDefault: auditRequired !== null }) : NO_RECORD;
    const { recorder } = recording.options;
    try {
      const engine = engineOf(prepared, { ...prepared.options, ...(recorder && { recorder: triedOutBy("why --run", recorder) }) });
      const scene = sceneHere({ cwd, home, mode: permittedMode(asked ?? engine.configuration.mode ?? "default", engine.configuration.authority) });
      const decision = words.flags["run"] ? await engine.fire(eventOf(call, scene), { signal: surface.signal }) : null;
      const explanation = await explain(call, { engine, scene, asked, decision });
      if (words.flags["json"]) surface.stdout(`${JSON.stringify(explanationJson(explanation))}\n`);
      else surface.stdout(pageText(explanation, { terminal: surface.terminal, folders: { cwd, home } }));
      await engine.settled();
      return explanation.verdict === "deny" ? DENIED : 0;
    } finally {
      await recording.close();
    }
  },
};

const DENIED = 2;

const NO_RECORD: Recording = { options: {}, close: async () => {} };

async function prepare(words: Words, surface: Surface, cwd: string): Promise<Prepared & { readonly options: EngineOptions }> {
  const configs = configsOf(words);
  const callbacks = words.values["callbacks"]?.at(-1);
  const options: EngineOptions = {
    cwd,
    env: surface.env,
    configs,
    mode: "default",
    ...trustOf(words),
    ...(callbacks !== undefined && { callbacks: await loadCallbacks(resolve(cwd, callbacks)) }),
  };
  const prepared = await prepareEngine(options);
  const { broken, files, notices } = prepared.configuration;
  const problem = configs.length > 0 && broken.length === files.length ? notices.find((notice) => notice.kind === "unreadable-file") : undefined;
  if (problem) throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${problem.file}:${problem.line}:${problem.column}: ${problem.message}` });
  return { ...prepared, options };
}
