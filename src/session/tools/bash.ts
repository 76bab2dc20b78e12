import * as v from "valibot";
import { defineTool, flag, optional, text } from "./define.ts";
import { ShellRun, type ShellEnd } from "./shell-run.ts";
import { shellsOf, SHELLS_LIMIT } from "./shells.ts";
import { toolError, type ToolContext, type ToolOutcome } from "./tool.ts";

/** How long a command may run unless its call says otherwise. */
export const BASH_TIMEOUT_MS = 120_000;
/** The longest time a call may ask for. */
export const BASH_LONGEST_TIMEOUT_MS = 600_000;
/** Linux takes no longer single argument than 128 KiB, and the shell needs some of it. */
const COMMAND_LIMIT_BYTES = 120_000;
const PROGRESS_EVERY_MS = 200;
const PROGRESS_CHARACTERS = 4_096;

/** Runs a shell command in the session's working folder, which the command may change. */
export const bashTool = defineTool({
  name: "Bash",
  description:
    "Runs a bash command and gives what it printed, both streams together. The working folder stays changed after cd. There is no stdin. " +
    `A command is ended after ${BASH_TIMEOUT_MS / 1000} seconds unless timeout says otherwise; for servers and watchers use run_in_background.`,
  input: {
    command: v.pipe(v.string("is not text"), v.regex(/\S/, "is empty"), v.description("The command")),
    timeout: optional(
      v.pipe(
        v.number("is not a number of milliseconds"),
        v.minValue(1, "is below 1 millisecond"),
        v.maxValue(BASH_LONGEST_TIMEOUT_MS, `is above ${BASH_LONGEST_TIMEOUT_MS} milliseconds`),
        v.description("Milliseconds after which it is ended"),
      ),
    ),
    description: optional(text("What the command does, in a few words")),
    run_in_background: optional(flag("Do not wait for it; read it with BashOutput, end it with KillShell")),
  },
  run: async ({ command, timeout, run_in_background }, context) => {
    if (Buffer.byteLength(command) > COMMAND_LIMIT_BYTES)
      return toolError(`command is longer than ${COMMAND_LIMIT_BYTES} bytes; write it to a file and run that`);
    context.signal.throwIfAborted();
    return run_in_background === true ? startBehind(command, context) : runToEnd(command, { context, timeoutMs: timeout ?? BASH_TIMEOUT_MS });
  },
});

async function startBehind(command: string, context: ToolContext): Promise<ToolOutcome> {
  const shells = shellsOf(context.memory);
  if (shells.full) return toolError(`${SHELLS_LIMIT} commands run in the background already; end one with KillShell first`);
  const id = shells.add(new ShellRun(command, context));
  return { output: `Runs in the background as ${id}. Read its output with BashOutput, end it with KillShell.`, isError: false };
}

async function runToEnd(command: string, { context, timeoutMs }: { context: ToolContext; timeoutMs: number }): Promise<ToolOutcome> {
  const run = new ShellRun(command, context);
  const alarm = interruption(run, { context, timeoutMs });
  try {
    const seen = await Promise.race([run.ended, alarm.rings]);
    if (typeof seen !== "string") return await settled(run, seen, context);
    await run.kill();
    return toolError(joined(run.take(), seen === "cancelled" ? "Cancelled." : `Timed out after ${timeoutMs} ms; it was ended with everything it started.`));
  } finally {
    alarm.stop();
  }
}

async function settled(run: ShellRun, end: ShellEnd, context: ToolContext): Promise<ToolOutcome> {
  if (end.kind === "not-started") return toolError(`The shell could not be started: ${end.message}`);
  const drained = await run.drained();
  const cwd = await run.finalCwd();
  if (cwd !== undefined && cwd !== context.cwd) context.setCwd(cwd);
  const shells = shellsOf(context.memory);
  shells.leave(run);
  const output = run.take();
  const held = drained ? "" : `Something it started still runs, as ${shells.add(run)}: read it with BashOutput, end it with KillShell.`;
  return { output: joined(output, held, endText(end)), isError: endText(end) !== "" };
}

/** How a command ended, where that is worth a word. */
export function endText(end: Exclude<ShellEnd, { kind: "not-started" }>): string {
  if (end.kind === "signalled") return `Ended by signal ${end.signal}`;
  return end.code === 0 ? "" : `Exit code ${end.code}`;
}

/** The output without its last line break, and what there is to say about it. */
function joined(output: string, ...remarks: readonly string[]): string {
  return [output.replace(/\r?\n$/, ""), ...remarks].filter((part) => part !== "").join("\n");
}

type Ring = "timed-out" | "cancelled";

/** The timeout or the turn's signal, whichever comes first; until then the watchers see the output grow. */
function interruption(run: ShellRun, { context, timeoutMs }: { context: ToolContext; timeoutMs: number }): { readonly rings: Promise<Ring>; stop(): void } {
  const { signal, onProgress } = context;
  let stop = (): void => {};
  const rings = new Promise<Ring>((resolve) => {
    const timer = setTimeout(() => resolve("timed-out"), timeoutMs);
    const cancel = (): void => resolve("cancelled");
    signal.addEventListener("abort", cancel, { once: true });
    const watch = onProgress && setInterval(() => onProgress(run.tail(PROGRESS_CHARACTERS)), PROGRESS_EVERY_MS);
    stop = () => {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", cancel);
    };
  });
  return { rings, stop: () => stop() };
}
