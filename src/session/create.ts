/** Puts a session together: engine, model, tools, MCP servers, subagents, transcript. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { uuidv7 } from "uuidv7";
import { namedConfig, stateFolder, surroundings } from "../config/locate.ts";
import { permittedMode } from "../config/authority.ts";
import { Background } from "../engine/background.ts";
import type { EngineOptions } from "../engine/engine.ts";
import { SnaphookError } from "../model/errors.ts";
import { discoverPlugins } from "../plugins/discover.ts";
import type { Notice } from "../model/notice.ts";
import type { Mode } from "../model/rule.ts";
import { readAgents } from "./agents.ts";
import type { Mouth } from "./approvals.ts";
import { LiveEngine } from "./live-engine.ts";
import type { LineAgent, OnText, SessionLine } from "./lines.ts";
import type { McpServerConfig } from "./mcp/config.ts";
import { projectServers } from "./mcp/project.ts";
import { McpServers } from "./mcp/servers.ts";
import type { Message } from "./messages.ts";
import type { Model } from "./model/model.ts";
import { resolveModel } from "./model/resolve.ts";
import { modelRunners } from "./model-runners.ts";
import { Session } from "./session.ts";
import { runSubagent } from "./subagent.ts";
import { TOOL_LIST, toolNamed } from "./tools/index.ts";
import type { Tool } from "./tools/tool.ts";
import { listTranscripts, readTranscript, Transcript, transcriptFolder } from "./transcript.ts";
import type { World } from "./world.ts";

/** What a session may be told; the rest comes from files and environment. */
export interface SessionOptions extends Pick<
  EngineOptions,
  "cwd" | "env" | "configs" | "callbacks" | "hooks" | "rules" | "trust" | "lock" | "requireTrust" | "managed" | "tempDir" | "onDecision" | "recorder"
> {
  /** `provider:name`, `script:FILE`, or a model of your own; without it, what the environment offers. */
  readonly model?: string | Model;
  readonly mode?: Mode;
  /** Folders of plugins, in order. */
  readonly pluginDirs?: readonly string[];
  readonly maxRounds?: number;
  /** Who may answer questions. None: nobody is there. */
  readonly mouths?: readonly Mouth[];
  /** Continue a stored session: its id, or true for the newest of this folder. */
  readonly resume?: string | true;
  /** Keep no transcript. */
  readonly unrecorded?: boolean;
  /** The first prompt, where it is known already: session.start carries it. */
  readonly firstPrompt?: string;
  /** Fire `setup` before the session starts. */
  readonly setup?: "init" | "maintenance";
  /** Tools besides the built-in ones. */
  readonly tools?: readonly Tool[];
  readonly systemPrompt?: string;
  /** Told the id before the first line is said. */
  readonly onCreated?: (id: string) => void;
  readonly onLine?: (line: SessionLine) => void;
  readonly onText?: OnText;
  readonly onProgress?: (text: string, agent: LineAgent) => void;
}

/** Rounds of one turn before a summary is forced. */
export const DEFAULT_MAX_ROUNDS = 100;

const SYSTEM_PROMPT = "You are a coding agent. Use the tools to do what the user asks, in the working folder. Be brief.";

/** Creates a session and starts it. */
export async function createSession(options: SessionOptions): Promise<Session> {
  const cwd = resolve(options.cwd);
  const around = surroundings({ cwd, env: options.env });
  const emit = (line: SessionLine): void => options.onLine?.(line);
  const tell = (notice: Notice): void => emit({ type: "notice", agent: null, message: notice.message, ...place(notice) });
  const stored = findStored(options, cwd);
  const model = typeof options.model === "object" ? options.model : await resolveModel(options.model, { env: options.env, cwd });

  const holder: { live: LiveEngine | null } = { live: null };
  const live = await LiveEngine.open(await engineOptionsOf(options, { cwd, model, holder }));
  holder.live = live;
  const { agents, notices } = await readAgents({ root: cwd, home: around.home, trust: live.engine.trust });
  const env = Object.fromEntries(Object.entries(options.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const { servers, notices: aboutServers } = await projectServers({ cwd, env, trust: live.engine.trust });
  if (options.requireTrust) await refuseUntrusted(live, [...notices, ...aboutServers]);
  aboutServers.forEach(tell);
  const mcp = await startServers(servers, { cwd, env, tell });
  const tools = new Map([...TOOL_LIST, ...(mcp?.tools() ?? []), ...(options.tools ?? [])].map((tool) => [tool.name, tool]));
  const background = new Background();
  const world: World = {
    live,
    root: cwd,
    env,
    tempDir: options.tempDir ?? options.env["TMPDIR"] ?? "/tmp",
    tools,
    findTool: (name, input) => tools.get(name) ?? toolNamed(name, input) ?? mcp?.toolNamed(name),
    agents,
    mouths: options.mouths ?? [],
    maxRounds: options.maxRounds ?? DEFAULT_MAX_ROUNDS,
    emit,
    onText: options.onText ?? (() => {}),
    onProgress: options.onProgress ?? (() => {}),
    newId: () => uuidv7(),
    now: () => new Date(),
    memory: new Map(),
    subagent: runSubagent,
    recorder: options.recorder ?? null,
    background: (work) => background.add(work),
  };
  const folder = transcriptFolder({ stateDir: stateDir(options), cwd });
  const session = new Session(
    {
      world,
      model,
      modeHolder: { mode: permittedMode(options.mode ?? live.engine.configuration.mode ?? "default", live.engine.configuration.authority) },
      cwd,
      basePrompt: options.systemPrompt ?? SYSTEM_PROMPT,
      openTranscript: (id) => (options.unrecorded ? null : Transcript.open(join(folder, `${id}.jsonl`))),
      mcp,
      backgroundSettled: async () => background.settled(),
    },
    { id: stored?.id ?? world.newId(), messages: stored?.messages ?? [] },
  );
  options.onCreated?.(session.id);
  for (const notice of [...live.engine.configuration.notices, ...notices, ...leftOut(live), ...tightened(options.mode, session.mode)]) tell(notice);
  if (options.setup) session.core.takeStartContext(await session.core.fire({ name: "setup", trigger: options.setup }));
  await session.start(stored ? "resume" : "startup", options.firstPrompt);
  return session;
}

async function engineOptionsOf(
  options: SessionOptions,
  { cwd, model, holder }: { cwd: string; model: Model; holder: { readonly live: LiveEngine | null } },
): Promise<EngineOptions> {
  const plugins = (options.pluginDirs ?? []).map((dir) => {
    const file = join(resolve(cwd, dir), "hooks", "hooks.json");
    if (!existsSync(file)) throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${dir} is no plugin: it has no hooks/hooks.json` });
    // Naming the folder says which plugin, not that its hooks are trusted [S15].
    return { ...namedConfig({ file, cwd, dialect: undefined }), named: false };
  });
  return {
    spill: {},
    ...options,
    cwd,
    discover: true,
    sources: [...(await discoverPlugins({ cwd, env: options.env })), ...plugins],
    mode: options.mode ?? "default",
    configs: options.configs ?? [],
    // What an agent hook wants to read goes through the gate as well; there is nobody to ask.
    runners: modelRunners(model, TOOL_LIST, {
      gate: async (call) => {
        const report = holder.live?.engine.gate?.report({ name: "tool.before", cwd, tool: call });
        return report?.verdict !== undefined && report.verdict !== "allow" ? report.because : null;
      },
    }),
  };
}

/** Which hooks the session left out for want of trust [S15]. */
function leftOut({ engine }: LiveEngine): readonly Notice[] {
  return engine.configuration.leftOut.map(({ hook, message }) => ({ kind: "not-trusted", message, ...hook.source }));
}

/** That managed settings did not permit the mode that was asked for. */
function tightened(asked: Mode | undefined, mode: Mode): readonly Notice[] {
  if (asked === undefined || asked === mode) return [];
  return [{ kind: "authority", message: `mode ${asked} is not permitted by the settings above; the mode is ${mode}` }];
}

/** A session that must have everything trusted does not start without. */
async function refuseUntrusted(live: LiveEngine, notices: readonly Notice[]): Promise<void> {
  const first = notices.find(({ kind }) => kind === "not-trusted");
  if (!first) return;
  await live.close();
  throw new SnaphookError("SNAP_NOT_TRUSTED", { message: `nothing was run: ${first.message}` });
}

async function startServers(
  servers: readonly McpServerConfig[],
  { cwd, env, tell }: { cwd: string; env: { readonly [name: string]: string }; tell: (notice: Notice) => void },
): Promise<McpServers | null> {
  if (servers.length === 0) return null;
  const mcp = new McpServers();
  for (const notice of await mcp.start(servers, { env, cwd, onNotice: tell })) tell(notice);
  return mcp;
}

function findStored(options: SessionOptions, cwd: string): { readonly id: string; readonly messages: readonly Message[] } | null {
  if (options.resume === undefined) return null;
  const all = listTranscripts(transcriptFolder({ stateDir: stateDir(options), cwd }));
  const found = options.resume === true ? all[0] : all.find((each) => each.id === options.resume || each.id.startsWith(String(options.resume)));
  if (!found) {
    const what = options.resume === true ? "there is no session of this folder to resume" : `there is no session ${options.resume} of this folder`;
    throw new SnaphookError("SNAP_USAGE", { message: `${what}; start one with snaphook run` });
  }
  return { id: found.id, messages: readTranscript(found.path).messages };
}

/** Where sessions and history are kept. */
export function stateDir({ env }: Pick<SessionOptions, "env">): string {
  return stateFolder(env);
}

function place({ file, line, column }: Notice): { file?: string; line?: number; column?: number } {
  return { ...(file !== undefined && { file }), ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
}
