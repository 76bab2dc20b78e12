/** Lets every call to the system fail in turn, and looks at what was decided: a fault never lets more through. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as v from "valibot";
import { parseJson } from "../../../src/lib/json.ts";
import { BIN, ROOT } from "../../support/places.ts";
import { runsOf } from "./runs.mjs";
import { setUp, type Scenario, type Stage } from "./scenarios.ts";

const LOOP = fileURLToPath(new URL("loop.mjs", import.meta.url));
/** What makes calls of a Node fail that imports it. */
export const INJECTOR = pathToFileURL(fileURLToPath(new URL("injector.mjs", import.meta.url))).href;
const LIBRARY = pathToFileURL(join(ROOT, "dist/index.js")).href;
/** A run that takes longer than this hangs: an undisturbed one takes a fraction of a second, and timeouts of hooks are a minute. */
export const LIMIT_MS = 25_000;

/** Which calls fail, and how. */
export interface SweepOptions {
  /** Every so many calls one fails; 1: each. */
  readonly step: number;
  /** Whether a call fails in every way, or each in another. */
  readonly ways: "all" | "in turn";
  /** How many processes are at work. */
  readonly processes: number;
}

/** What a sweep found. */
export interface SweepReport {
  readonly name: string;
  /** Calls of one undisturbed run. */
  readonly calls: number;
  readonly runs: number;
  /** Runs that decided as if nothing had failed, and runs that were stricter or refused. */
  readonly same: number;
  readonly problems: readonly string[];
}

/** Sweeps a scenario through the library: engines of one process after another. */
export async function sweepLibrary(scenario: Scenario, options: SweepOptions): Promise<SweepReport> {
  return staged(scenario, async (stage) => {
    const order = { ...stage, launcher: scenario.launcher, event: scenario.event, input: scenario.input, warm: scenario.warm, limitMs: LIMIT_MS };
    let calls = 0;
    const share = async (index: number): Promise<readonly LoopLine[]> => {
      const found: LoopLine[] = [];
      for (;;) {
        const [, quiet, ...made] = await loop({
          ...order,
          step: options.step,
          turns: options.ways === "in turn",
          share: { index, of: options.processes },
          skip: found.length,
        });
        if (quiet?.verdict !== scenario.verdict) throw new Error(`${scenario.name}: without faults it is ${JSON.stringify(quiet)}`);
        calls = quiet.calls;
        found.push(...made);
        // A process in which a run hung is of no use any more: another one goes on behind it.
        if (made.at(-1)?.hung !== true) return found;
      }
    };
    const lines = await Promise.all(Array.from({ length: options.processes }, async (_, index) => share(index)));
    return report(scenario, calls, lines.flat());
  });
}

/** Sweeps a scenario through the command line: a process for each call that fails. */
export async function sweepCli(scenario: Scenario, options: SweepOptions): Promise<SweepReport> {
  return staged(scenario, async (stage, folder) => {
    const quiet = await fireCli(scenario, stage, { at: 0, how: "EIO", report: join(folder, "calls.json") });
    if (quiet.verdict !== scenario.verdict) throw new Error(`${scenario.name}: without faults it is ${JSON.stringify(quiet)}`);
    const runs = runsOf(quiet.calls, { step: options.step, turns: options.ways === "in turn" });
    const lines: LoopLine[] = [];
    const work = async (index: number): Promise<void> => {
      for (const injected of runs.filter((_, place) => place % options.processes === index)) {
        lines.push(await fireCli(scenario, stage, { ...injected, report: join(folder, `calls-${index}.json`) }));
      }
    };
    await Promise.all(Array.from({ length: options.processes }, async (_, index) => work(index)));
    return report(scenario, quiet.calls, lines);
  });
}

const Line = v.object({
  at: v.number(),
  how: v.string(),
  called: v.nullable(v.string()),
  calls: v.number(),
  verdict: v.optional(v.nullable(v.string())),
  notices: v.optional(v.array(v.string())),
  thrown: v.optional(v.string()),
  hung: v.optional(v.boolean()),
  left: v.array(v.string()),
});
/** What one run came to. */
export type LoopLine = v.InferOutput<typeof Line>;

/** What one run decided must be as strict as without a fault, or a question, or a refusal. */
function problemsOf({ at, how, called, verdict, notices, hung, left, thrown }: LoopLine, { noticed }: Scenario): readonly string[] {
  const where = `call ${at} (${called ?? "none"}) with ${how}`;
  const isTold = noticed === true && verdict === null && notices?.includes("unreadable-file");
  const passes = thrown === undefined && hung !== true && verdict !== "deny" && verdict !== "ask" && !isTold;
  return [
    ...(hung ? [`${where}: it hangs`] : []),
    // An engine may refuse to be made; one that is there answers.
    ...(thrown?.startsWith("fire: ") ? [`${where}: rejected: ${thrown}`] : []),
    ...(passes ? [`${where}: the verdict is ${verdict ?? "null"}`] : []),
    ...left.map((text) => `${where}: left behind: ${text}`),
  ];
}

/** What was found in all runs. */
export function report(scenario: Scenario, calls: number, lines: readonly LoopLine[]): SweepReport {
  const { name, verdict } = scenario;
  return {
    name,
    calls,
    runs: lines.length,
    same: lines.filter((line) => line.verdict === verdict).length,
    problems: lines.flatMap((line) => problemsOf(line, scenario)),
  };
}

async function loop(order: object): Promise<readonly LoopLine[]> {
  const { stdout, stderr } = await run([LOOP, LIBRARY, JSON.stringify(order)], { env: { PATH: process.env["PATH"] ?? "" } });
  const lines = stdout.split("\n").flatMap((line) => {
    const parsed = v.safeParse(Line, parseJson(line));
    return parsed.success ? [parsed.output] : [];
  });
  if (lines.length < 2) throw new Error(`the loop failed: ${stderr}${stdout}`);
  return lines;
}

async function fireCli(
  scenario: Scenario,
  { cwd, env }: Stage,
  inject: { readonly at: number; readonly how: string; readonly report: string },
): Promise<LoopLine> {
  const args = ["--import", INJECTOR, BIN, "fire", scenario.event, "--json"];
  const launcher = scenario.launcher ? { SNAPHOOK_LAUNCHER: scenario.launcher } : {};
  rmSync(inject.report, { force: true });
  const ended = await run(args, { cwd, env: { ...env, ...launcher, SNAPHOOK_INJECT: JSON.stringify(inject) }, stdin: JSON.stringify(scenario.input) });
  const calls = v.parse(v.array(v.string()), ended.hung ? [] : parseJson(readFileSync(inject.report, "utf8")));
  return lineOf(ended, { at: inject.at, how: inject.how, called: calls[inject.at - 1] ?? null, calls: calls.length });
}

/** What a command line that ended says of its event. */
export function lineOf(ended: Ended, injected: Pick<LoopLine, "at" | "how" | "called" | "calls">): LoopLine {
  const decision = v.safeParse(v.object({ verdict: v.nullable(v.string()), notices: v.array(v.object({ kind: v.string() })) }), parseJson(ended.stdout));
  const about = { ...injected, hung: ended.hung };
  const left = /left an error behind|Unhandled|Uncaught/.test(ended.stderr) ? [ended.stderr] : [];
  // Whoever reads the exit code alone must not take it for a yes either.
  if (ended.code !== 0 && !(decision.success && decision.output.verdict === null))
    return { ...about, left, thrown: `exit ${ended.code}`, verdict: decision.success ? decision.output.verdict : null };
  if (!decision.success) return { ...about, left, verdict: "exit 0 without a decision" };
  return { ...about, left, verdict: decision.output.verdict, notices: decision.output.notices.map(({ kind }) => kind) };
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly hung: boolean;
}

/** Runs Node, or another program, to its end. */
export async function run(
  args: readonly string[],
  {
    cwd,
    env,
    stdin = "",
    file = process.execPath,
  }: { readonly cwd?: string; readonly env: { readonly [name: string]: string }; readonly stdin?: string; readonly file?: string },
): Promise<Ended> {
  const child = spawn(file, [...args], { ...(cwd !== undefined && { cwd }), env: { ...env } });
  let [stdout, stderr, hung] = ["", "", false];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {}); // one that fails early does not read
  child.stdin.end(stdin);
  const timer = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, 4 * LIMIT_MS);
  const code = await new Promise<number | null>((resolve) => void child.on("close", resolve));
  clearTimeout(timer);
  return { code, stdout, stderr, hung };
}

/** Runs with the folders of a scenario, and a server that denies. */
export async function staged<Result>(scenario: Scenario, work: (stage: Stage, folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-inject-"));
  const server = createServer((_, response) => response.end('{"verdict":"deny","reason":"no"}'));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  try {
    return await work(setUp(scenario, folder, `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`), folder);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
