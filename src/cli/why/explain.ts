/** Everything there is to say about one call, as data. */
import { loadConfiguration, lostGuards, type Configuration } from "../../config/load.ts";
import type { ConfigFile } from "../../config/read.ts";
import { canonicalCall } from "../../dialects/spelling.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Decision } from "../../model/decision.ts";
import type { Hook } from "../../model/hook.ts";
import { MODES, type Mode, type Rule } from "../../model/rule.ts";
import type { ToolCall } from "../../model/tools.ts";
import { strictest, type Verdict } from "../../model/verdict.ts";
import { evaluate } from "../../permissions/evaluate.ts";
import type { JudgedCommand, Judgement } from "../../permissions/judgement.ts";
import { compilePolicy, exactRule, extendPolicy, type Policy } from "../../permissions/rules.ts";
import type { Scene } from "../../permissions/scene.ts";
import { trustAll } from "../../trust/open.ts";
import { concernedHooks, type ConcernedHook } from "./hooks.ts";
import { answerOf, missingFrom, rehearse, withMissing, type Answer, type MissingGuard } from "./rehearse.ts";
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

/** A command of the call; `leftOut` is the rule that would allow it if the folder were trusted. */
export interface ExplainedCommand extends JudgedCommand {
  readonly leftOut?: Rule;
}

/** The answer and all that led to it. */
export interface Explanation extends Answer {
  /** The call as the gate judged it: after the rewrites of hooks that were run. */
  readonly call: ToolCall;
  readonly judgement: Judgement;
  readonly commands: readonly ExplainedCommand[];
  /** The verdict if the folder were trusted, where allow rules are left out because it is not. */
  readonly ifTrusted: Verdict | null;
  readonly mode: Mode;
  readonly hooks: readonly ConcernedHook[];
  readonly byFile: readonly FileVerdict[];
  readonly byMode: readonly ModeVerdict[];
  readonly configuration: Configuration;
  /** What the hooks came to, where they were run. */
  readonly decision: Decision | null;
  /** The rule that would let exactly this call pass, where one rule can. */
  readonly passes: string | null;
  /** A first rule set, where there are no rules yet. */
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
  const judgement = evaluate(call, policy, scene);
  const hooks = concernedHooks(eventOf(given, scene), { registry, configuration, scene, decision });
  const builtIn = registry.hooks.filter((hook) => hook.source === null);
  const lost = lostGuards(configuration, "tool.before").map(({ message }): MissingGuard => ({ step: "changed-hook", reason: message }));
  const missing = [...missingFrom(configuration.broken), ...lost];
  const stage: Stage = { call, scene, policy, hooks, builtIn, configuration, missing };
  const answer = decision ? answerOf(withMissing(judgement, missing), decision) : await rehearse({ event: eventOf(call, scene), judgement, builtIn, missing });
  return {
    call,
    ...answer,
    judgement,
    ...commandsOf(judgement, stage),
    mode: scene.mode,
    hooks,
    byFile: await Promise.all(configuration.files.map(async (file) => fileVerdict(file, stage, question.asked))),
    byMode: await Promise.all(MODES.map(async (mode) => (mode === scene.mode ? { mode, ...verdictOf(answer) } : modeVerdict(mode, stage)))),
    configuration,
    decision,
    passes: answer.verdict === "ask" && judgement.verdict === "ask" ? passingRule(call, policy, scene) : null,
    starter: hasRules(configuration) ? null : starterRules(canonicalCall(call), judgement, scene),
  };
}

interface Stage {
  readonly call: ToolCall;
  readonly scene: Scene;
  readonly policy: Policy;
  readonly hooks: readonly ConcernedHook[];
  readonly builtIn: readonly Hook[];
  readonly configuration: Configuration;
  readonly missing: readonly MissingGuard[];
}

/** Whether a file has rules or a mode, trusted or not. */
export function hasRules({ files, mode }: Configuration): boolean {
  return mode !== null || files.some(({ rules }) => rules.length > 0);
}

/** The event that a call is. */
export function eventOf(
  tool: ToolCall,
  { cwd, mode }: Scene,
): { readonly name: "tool.before"; readonly tool: ToolCall; readonly cwd: string; readonly permissionMode: Mode } {
  return { name: "tool.before", tool, cwd, permissionMode: mode };
}

/** The commands in the order of the text, an outer one before what stands in it; what needs no rule of its own is allowed with the rest. */
function commandsOf(judgement: Judgement, { call, scene, configuration }: Stage): Pick<Explanation, "commands" | "ifTrusted"> {
  const counting = new Set(configuration.rules);
  const every = configuration.files.flatMap((file) => file.rules);
  const trusted = every.some((rule) => !counting.has(rule)) ? evaluate(call, compilePolicy(every), scene) : null;
  const commands = judgement.commands.map((command): ExplainedCommand => {
    if (judgement.step === "allow-rule") return { ...command, verdict: "allow" };
    const { rule } =
      trusted?.commands.find(
        ({ start, end, text, kind }) => start === command.start && end === command.end && text === command.text && kind === command.kind,
      ) ?? {};
    return command.rule || !rule || counting.has(rule) ? command : { ...command, leftOut: rule };
  });
  return { commands: commands.sort((left, right) => left.start - right.start || right.end - left.end), ifTrusted: trusted?.verdict ?? null };
}

function verdictOf({ verdict, because }: Answer): { readonly verdict: Verdict; readonly because: string } {
  return { verdict, because };
}

/** The file by its own laws: its rules, its mode as far as its layer may set one, and what its hooks said. */
async function fileVerdict(
  { source, speaks, rules }: ConfigFile,
  { call, scene, hooks, builtIn, configuration }: Stage,
  asked: Mode | undefined,
): Promise<FileVerdict> {
  const about = { file: source.path, layer: source.layer, dialects: speaks };
  const alone = await loadConfiguration({ sources: [source], env: {}, trust: trustAll(), envHooksOf: [] });
  const own = builtIn.filter((hook) => alone.speaks.includes(hook.dialect));
  const said = hooks.filter((hook) => hook.source?.file === source.path).flatMap(({ report }) => (report?.verdict ? [report] : []));
  const counting = rules.filter((rule) => configuration.rules.includes(rule));
  const silent = counting.length === 0 && alone.mode === null && alone.broken.length === 0 && own.length === 0;
  const sceneAlone = { ...scene, mode: asked ?? alone.mode ?? "default" };
  const judgement = evaluate(call, compilePolicy(counting), sceneAlone);
  const ruled = silent ? null : await rehearse({ event: eventOf(call, sceneAlone), judgement, builtIn: own, missing: missingFrom(alone.broken) });
  const verdict = strictest([ruled?.verdict, ...said.map((report) => report.verdict)]);
  const strict = said.find((report) => report.verdict === verdict);
  return { ...about, verdict, because: ruled?.verdict === verdict ? (ruled?.because ?? null) : (strict?.reason ?? null) };
}

async function modeVerdict(mode: Mode, { call, policy, scene, hooks, builtIn, missing }: Stage): Promise<ModeVerdict> {
  const judgement = evaluate(call, policy, { ...scene, mode });
  const answer = await rehearse({ event: eventOf(call, { ...scene, mode }), judgement, builtIn, missing });
  const reports = hooks.flatMap(({ report }) => (report?.verdict && report.verdict !== "allow" ? [report] : []));
  const verdict = strictest([answer.verdict, ...reports.map((report) => report.verdict)]) ?? answer.verdict;
  if (verdict === answer.verdict) return { mode, ...verdictOf(answer) };
  return { mode, verdict, because: reports.find((report) => report.verdict === verdict)?.reason ?? "A hook said so." };
}

function passingRule(call: ToolCall, policy: Policy, scene: Scene): string | null {
  const rule = exactRule(call);
  if (rule === undefined) return null;
  return evaluate(call, extendPolicy(policy, [{ verdict: "allow", text: rule }]), scene).verdict === "allow" ? rule : null;
}
