/** Everything there is to say about one call, as data. */
import { loadConfiguration, type Configuration } from "../../config/load.ts";
import type { ConfigFile } from "../../config/read.ts";
import { canonicalCall } from "../../dialects/spelling.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Decision } from "../../model/decision.ts";
import type { Hook } from "../../model/hook.ts";
import { MODES, type Mode } from "../../model/rule.ts";
import type { ToolCall } from "../../model/tools.ts";
import { strictest, type Verdict } from "../../model/verdict.ts";
import { evaluate } from "../../permissions/evaluate.ts";
import type { Judgement } from "../../permissions/judgement.ts";
import { compilePolicy, exactRule, extendPolicy, type Policy } from "../../permissions/rules.ts";
import type { Scene } from "../../permissions/scene.ts";
import { concernedHooks, type ConcernedHook } from "./hooks.ts";
import { answerOf, rehearse, withBroken, type Answer } from "./rehearse.ts";
import { starterRules, type Starter } from "./starter.ts";

/** What one file says about the call when it stands alone; null: it has no opinion. */
export interface FileVerdict {
  readonly file: string;
  readonly layer: string;
  readonly dialects: readonly string[];
  readonly verdict: Verdict | null;
  readonly because: string | null;
}

/** What a mode would say with the same rules. */
export interface ModeVerdict {
  readonly mode: Mode;
  readonly verdict: Verdict;
  readonly because: string;
}

/** The answer and all that led to it. */
export interface Explanation extends Answer {
  /** The call as the gate judged it: after the rewrites of hooks that were run. */
  readonly call: ToolCall;
  readonly judgement: Judgement;
  readonly mode: Mode;
  readonly hooks: readonly ConcernedHook[];
  readonly byFile: readonly FileVerdict[];
  readonly byMode: readonly ModeVerdict[];
  readonly configuration: Configuration;
  /** What the hooks came to, where they were run. */
  readonly decision: Decision | null;
  /** The rule that would let exactly this call pass, where one rule can. */
  readonly passes: string | null;
  /** A first rule set, where nothing is configured. */
  readonly starter: Starter | null;
}

/** What a call is judged with. */
export interface Question {
  readonly engine: Engine;
  readonly scene: Scene;
  /** The mode that was asked for by name; it stands above every file's own. */
  readonly asked: Mode | undefined;
  readonly decision: Decision | null;
}

/** Judges the call under everything that was found, under each file alone and in each mode. */
export async function explain(given: ToolCall, question: Question): Promise<Explanation> {
  const { engine, scene, decision } = question;
  const { configuration, registry } = engine;
  const call = decision?.input ? { name: given.name, input: decision.input } : given;
  const policy = compilePolicy(configuration.rules);
  const judgement = inOrder(evaluate(call, policy, scene));
  const hooks = concernedHooks(eventOf(given, scene), { registry, configuration, scene, decision });
  const builtIn = registry.hooks.filter((hook) => hook.source === null);
  const stage: Stage = { call, scene, policy, hooks, builtIn, configuration };
  const answer = decision
    ? answerOf(withBroken(judgement, configuration.broken), decision)
    : await rehearse({ event: eventOf(call, scene), judgement, builtIn, broken: configuration.broken });
  return {
    call,
    ...answer,
    judgement,
    mode: scene.mode,
    hooks,
    byFile: await Promise.all(configuration.files.map(async (file) => fileVerdict(file, stage, question.asked))),
    byMode: await Promise.all(MODES.map(async (mode) => (mode === scene.mode ? { mode, ...verdictOf(answer) } : modeVerdict(mode, stage)))),
    configuration,
    decision,
    passes: answer.verdict === "ask" && judgement.verdict === "ask" ? passingRule(call, policy, scene) : null,
    starter: configuration.files.length === 0 ? starterRules(canonicalCall(call), judgement, scene) : null,
  };
}

interface Stage {
  readonly call: ToolCall;
  readonly scene: Scene;
  readonly policy: Policy;
  readonly hooks: readonly ConcernedHook[];
  readonly builtIn: readonly Hook[];
  readonly configuration: Configuration;
}

/** The event that a call is. */
export function eventOf(tool: ToolCall, { cwd, mode }: Scene): { readonly name: "tool.before"; readonly tool: ToolCall; readonly cwd: string; readonly permissionMode: Mode } {
  return { name: "tool.before", tool, cwd, permissionMode: mode };
}

/** In the order of the text, an outer command before what stands in it. */
function inOrder(judgement: Judgement): Judgement {
  return { ...judgement, commands: [...judgement.commands].sort((left, right) => left.start - right.start || right.end - left.end) };
}

function verdictOf({ verdict, because }: Answer): { readonly verdict: Verdict; readonly because: string } {
  return { verdict, because };
}

/** The file by its own laws: its rules, its mode as far as its layer may set one, and what its hooks said. */
async function fileVerdict({ source, speaks }: ConfigFile, { call, scene, hooks, builtIn }: Stage, asked: Mode | undefined): Promise<FileVerdict> {
  const about = { file: source.path, layer: source.layer, dialects: speaks };
  const alone = await loadConfiguration({ sources: [source], env: {}, trusted: true, envHooksOf: [] });
  const own = builtIn.filter((hook) => alone.speaks.includes(hook.dialect));
  const said = hooks.filter((hook) => hook.source?.file === source.path).flatMap(({ report }) => (report?.verdict ? [report] : []));
  const silent = alone.rules.length === 0 && alone.mode === null && alone.broken.length === 0 && own.length === 0;
  const sceneAlone = { ...scene, mode: asked ?? alone.mode ?? "default" };
  const judgement = evaluate(call, compilePolicy(alone.rules), sceneAlone);
  const ruled = silent ? null : await rehearse({ event: eventOf(call, sceneAlone), judgement, builtIn: own, broken: alone.broken });
  const verdict = strictest([ruled?.verdict, ...said.map((report) => report.verdict)]);
  const strict = said.find((report) => report.verdict === verdict);
  return { ...about, verdict, because: ruled?.verdict === verdict ? (ruled?.because ?? null) : (strict?.reason ?? null) };
}

async function modeVerdict(mode: Mode, { call, policy, scene, hooks, builtIn, configuration }: Stage): Promise<ModeVerdict> {
  const judgement = evaluate(call, policy, { ...scene, mode });
  const answer = await rehearse({ event: eventOf(call, { ...scene, mode }), judgement, builtIn, broken: configuration.broken });
  const stricter = hooks.find(({ report }) => report?.verdict && report.verdict !== "allow" && strictest([answer.verdict, report.verdict]) !== answer.verdict)?.report;
  return stricter?.verdict ? { mode, verdict: stricter.verdict, because: stricter.reason ?? "A hook said so." } : { mode, ...verdictOf(answer) };
}

function passingRule(call: ToolCall, policy: Policy, scene: Scene): string | null {
  const rule = exactRule(call);
  if (rule === undefined) return null;
  return evaluate(call, extendPolicy(policy, [{ verdict: "allow", text: rule }]), scene).verdict === "allow" ? rule : null;
}
