/** A session in the terminal. */
import type { ReadStream, WriteStream } from "node:tty";
import { SnaphookError } from "../../model/errors.ts";
import { createSession, stateDir, type SessionOptions } from "../../session/create.ts";
import type { Session } from "../../session/session.ts";
import type { Surface } from "../command.ts";
import { watchable } from "../desk.ts";
import { painter } from "../render/colour.ts";
import type { Folders } from "../render/paths.ts";
import { followActivity } from "./activity.ts";
import { completeLine, failureText, runCommand, type CommandContext } from "./commands.ts";
import { History } from "./history.ts";
import { Keyboard } from "./keyboard.ts";
import type { ReplTerminal } from "./modal.ts";
import { terminalMouth } from "./mouth.ts";
import { PASTE_MODE, unmarked } from "./paste.ts";
import { Screen } from "./screen.ts";
import { Spinner } from "./spinner.ts";
import { watchSession } from "./watch.ts";

/** Runs a session until the user leaves it; returns the exit code. */
export async function runRepl(options: SessionOptions, surface: Surface): Promise<number> {
  if (!surface.terminal.isTerminal || !surface.stdinIsTerminal) {
    throw new SnaphookError("SNAP_USAGE", { message: "the REPL needs a terminal on both sides; give the prompt with --prompt or on stdin" });
  }
  const live = surface.env["TERM"] !== "dumb";
  const terminal = openTerminal(surface, { input: process.stdin, output: process.stdout, live });
  if (live) surface.stdout(PASTE_MODE.on);
  terminal.keyboard.open();
  // A terminal that goes away says so more than once: the second time must not end us before session.end has fired.
  process.on("SIGHUP", ignore);
  try {
    return await converse(options, surface, terminal);
  } finally {
    process.off("SIGHUP", ignore);
    terminal.spinner.show("");
    if (terminal.keyboard.gone.aborted) dieOfHangup();
    terminal.keyboard.close();
    if (live) surface.stdout(PASTE_MODE.off);
  }
}

function ignore(): void {}

/** Node can't set back a terminal that is gone, and would abort in the attempt: we end as programs without a terminal do. */
function dieOfHangup(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

const USUAL_COLUMNS = 80;

function openTerminal({ terminal, stdout }: Surface, { input, output, live }: { input: ReadStream; output: WriteStream; live: boolean }): ReplTerminal {
  const paint = painter(terminal.colour);
  const screen = new Screen({ write: stdout, columns: () => output.columns || terminal.columns || USUAL_COLUMNS, live });
  return { screen, paint, keyboard: new Keyboard({ input, output, screen }), spinner: new Spinner(screen, paint) };
}

async function converse(options: SessionOptions, surface: Surface, terminal: ReplTerminal): Promise<number> {
  const { screen, spinner } = terminal;
  const folders: Folders = { cwd: options.cwd, home: surface.env["HOME"] ?? "" };
  const wide: Surface["terminal"] = {
    isTerminal: true,
    colour: surface.terminal.colour,
    get columns() {
      return screen.columns;
    },
  };
  let session: Session | null = null;
  const contextUse = () => session && { used: session.core.used, contextWindow: session.core.model.contextWindow };
  const watch = watchSession({ ...surface, terminal: wide, stdout: (text) => screen.write(text) }, { folders, totals: "turn", contextUse });
  const activity = followActivity(folders);
  spinner.show("the session starts");
  const watched: SessionOptions = {
    ...options,
    ...watch,
    mouths: [...(options.mouths ?? []), terminalMouth(terminal, folders)],
    onLine: (line) => {
      watch.onLine(line);
      const doing = line.agent ? null : activity(line);
      if (doing !== null) spinner.show(doing);
    },
    onProgress: (text) => spinner.progress(text),
  };
  session = await createSession(watchable(watched, surface));
  spinner.show("");
  const context: CommandContext = {
    session,
    terminal: wide,
    folders,
    paint: terminal.paint,
    print: (text) => screen.write(text),
    work: async (work) => runWork(work, session, terminal),
  };
  surface.onInterrupt(() => session.cancel());
  const signal = AbortSignal.any([surface.signal, terminal.keyboard.gone]);
  signal.addEventListener("abort", () => void session.cancel(), { once: true });
  screen.write(`${terminal.paint("dim", `snaphook  ${session.core.model.id}  mode ${session.mode}  /help`)}\n`);
  await readPrompts(context, { signal, history: await History.open(stateDir({ env: surface.env })), terminal, onTyped: watch.onTyped });
  const stopped = signal.aborted;
  await runWork(async () => session.end(stopped ? "other" : "prompt_input_exit"), session, terminal);
  screen.write(`${terminal.paint("dim", `session ended; snaphook run --resume ${session.id}`)}\n`);
  return stopped ? INTERRUPTED : 0;
}

/** As a shell reports a command that a signal ended. */
const INTERRUPTED = 130;

interface Reading {
  readonly terminal: ReplTerminal;
  readonly history: History;
  readonly signal: AbortSignal;
  readonly onTyped: () => void;
}

async function readPrompts(context: CommandContext, { terminal, history, signal, onTyped }: Reading): Promise<void> {
  let warned = false;
  while (!signal.aborted) {
    terminal.screen.write("\n");
    const read = await readPrompt(terminal, history, signal);
    onTyped();
    if (read.kind === "end" || (read.kind === "interrupt" && read.empty && warned)) return;
    warned = read.kind === "interrupt" && read.empty;
    if (warned) terminal.screen.write(terminal.paint("dim", "Ctrl-C again, or Ctrl-D, ends the session\n"));
    if (read.kind !== "line" || read.text.trim() === "") continue;
    if (read.text.startsWith("/")) {
      if ((await runCommand(read.text, context)) === "exit") return;
    } else await context.work(async () => context.session.prompt(read.text));
  }
}

type PromptRead = { readonly kind: "line"; readonly text: string } | { readonly kind: "interrupt"; readonly empty: boolean } | { readonly kind: "end" };

/** One prompt: a backslash at the end of a line asks for another line. */
async function readPrompt({ keyboard, paint }: ReplTerminal, history: History, signal: AbortSignal): Promise<PromptRead> {
  const lines: string[] = [];
  for (;;) {
    const read = await keyboard.readLine({
      prompt: lines.length === 0 ? `${paint("bold", ">")} ` : `${paint("dim", "…")} `,
      history: history.entries,
      completer: completeLine,
      signal,
    });
    if (read.kind === "interrupt") return { kind: "interrupt", empty: read.empty && lines.length === 0 };
    if (read.kind === "end") return read;
    await history.add(read.text);
    const text = unmarked(read.text);
    if (!text.endsWith("\\")) return { kind: "line", text: [...lines, text].join("\n") };
    lines.push(text.slice(0, -1));
  }
}

/** Runs a turn, or what is like one: Esc and Ctrl-C cancel it. What fails is told, and the session goes on. */
async function runWork(work: () => Promise<unknown>, session: Session, { screen, keyboard, spinner }: ReplTerminal): Promise<void> {
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => void (leave = resolve));
  const release = keyboard.listen(({ name }) => {
    if (name !== "escape" && name !== "interrupt") return false;
    keyboard.forget();
    if (session.cancel()) spinner.show("cancelling");
    else if (name === "interrupt") leave();
    return true;
  });
  try {
    await Promise.race([work(), left]);
  } catch (error) {
    screen.write(`${failureText(error)}\n`);
  } finally {
    release();
    spinner.show("");
  }
}
