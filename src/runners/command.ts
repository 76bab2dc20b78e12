import { closeQuietly } from "../lib/close-quietly.ts";
import { messageOf } from "../lib/errors.ts";
import type { ProcessEnd } from "../lib/process.ts";
import type { Hook } from "../model/hook.ts";
import type { RunResult } from "../model/run.ts";
import { confinementOf } from "./confinement.ts";
import { inheritedEnv } from "./environment.ts";
import { launchOf } from "./launch.ts";
import { fitEnv, unfitVariables, type FittedEnv } from "./oversized-env.ts";
import { plain, unlessChanged, type Payload, type RunContext, type Runner } from "./runner.ts";
import { startFailure } from "./start-failure.ts";

/** Runs a command in a process group of its own. */
export const runCommand: Runner = async (hook, payload, context) => {
  if (hook.action.type !== "command") return plain({ kind: "failed", fault: "unsupported", message: `a ${hook.action.type} hook is no command` });
  const vouch = context.vouch(hook);
  const found = confinementOf(hook, context);
  const confine = found instanceof Promise ? await found : found;
  if (typeof confine === "string") return plain({ kind: "failed", fault: "unsupported", message: confine });
  let fitted: FittedEnv;
  try {
    fitted = fitEnv(payload.env, context.tempDir);
  } catch (error) {
    // The padding must not take the guard away: it counts as what did not fit, so that the call is at least asked.
    const result = { kind: "not-started", message: `a large variable could not be put into a file: ${messageOf(error)}` } as const;
    return { ...plain(result), stubbed: unfitVariables(payload.env) };
  }
  const windows = process.platform === "win32";
  const held = confine.wrap(launchOf(hook.action, windows ? "windows" : "posix"), { needs: fitted.files, vouch, tempDir: context.tempDir });
  if ("kind" in held) return { result: held, stubbed: fitted.stubbed, remarks: fitted.clean() };
  const { file, args, login, descriptors = NONE } = held;
  const ended = await context.launch({
    file,
    args,
    login,
    env: { ...inherited(hook, payload, context), ...fitted.env },
    cwd: context.cwd,
    stdin: payload.stdinText,
    timeoutMs: hook.timeoutMs,
    signal: context.signal,
    tempDir: context.tempDir,
    descriptors,
    limitBytes: context.limitBytes,
    windowsVerbatim: windows && hook.action.launch !== "argv",
    ...(payload.release && { release: RELEASES[payload.release] }),
  });
  for (const descriptor of descriptors) closeQuietly(descriptor);
  const end = confine.endOf(ended);
  if (end.kind === "released") context.background(end.ended.finally(() => fitted.clean()));
  const left = end.kind === "released" ? [] : fitted.clean();
  const ran = {
    result: resultOf(end, { timeoutMs: hook.timeoutMs, limitBytes: context.limitBytes }),
    stubbed: fitted.stubbed,
    remarks: [...remarksOf(end, context.limitBytes), ...left],
  };
  return held.sealed ? ran : unlessChanged(ran, vouch?.changed());
};

const NONE: readonly number[] = [];

/** How a command asks not to be waited for. Where a dialect has no such words, the same line must not lose a denial behind it. */
const RELEASES: { readonly [release in NonNullable<Payload["release"]>]: (stdout: string) => boolean } = {
  "async-line": (stdout) => /^\s*\{\s*"async"\s*:\s*true\s*(,[^\n]*)?\}\s*\n/.test(stdout),
};

interface Inherited {
  readonly from: RunContext["env"];
  readonly env: RunContext["env"];
}

/** What each hook inherited last: a dozen patterns for each variable take longer than all else that is done here. */
const lastInherited = new WeakMap<Hook, Inherited>();

function inherited(hook: Hook, payload: Payload, { env: from }: RunContext): RunContext["env"] {
  const last = lastInherited.get(hook);
  if (last?.from === from) return last.env;
  const env = Object.fromEntries(Object.entries(inheritedEnv(hook, from)).filter(([name]) => !payload.ownEnv.includes(name)));
  lastInherited.set(hook, { from, env });
  return env;
}

function resultOf(end: ProcessEnd, { timeoutMs, limitBytes }: { timeoutMs: number; limitBytes: number }): RunResult {
  switch (end.kind) {
    case "exited":
      if (end.stdoutOver) return { kind: "oversized", limitBytes, code: end.code, stderr: end.stderr };
      return { kind: "exited", code: end.code, stdout: end.stdout, stderr: end.stderr };
    case "signalled":
      return { kind: "signalled", signal: end.signal, stderr: end.stderr };
    case "timed-out":
      return { kind: "timed-out", afterMs: timeoutMs };
    case "cancelled":
      return { kind: "skipped", why: "the caller cancelled the event" };
    case "released":
      return { kind: "detached" };
    case "not-started":
      return { kind: "not-started", message: end.message, ...startFailure(end.code) };
  }
}

function remarksOf(end: ProcessEnd, limitBytes: number): string[] {
  if (end.kind !== "exited" && end.kind !== "signalled") return [];
  return [
    ...(end.stderrOver ? [`stderr was cut after ${limitBytes} bytes`] : []),
    ...(end.leftBehind ? ["it left processes behind that held its output; they were ended"] : []),
  ];
}
