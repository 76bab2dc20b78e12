/** Shells that stay: each carries out one command after another, in a fork of itself, which costs a fifth of starting a shell. */
import type { Listener, StartedEnd } from "../process.ts";
import { quoted } from "../shell-text.ts";
import type { ShellTask } from "./builtins.ts";
import { endWithShell, signalName } from "./ends.ts";
import { ShellRun } from "./shell-run.ts";
import { Slot, type SlotPipes } from "./slot.ts";

/** A command takes less time than telling a shell of it: more of them would not be faster. */
const MOST_SHELLS = 2;
/** Commands that one shell keeps; others are told in full each time. */
const MOST_TAUGHT = 200;
/** Stdout and stderr. */
const OUTPUTS = 2;
/** A pipe takes a line of this length whole, or not at all. */
const LONGEST_LINE_BYTES = 4_096;
/** A code above this is 128 and a signal. */
const HIGHEST_CODE = 128;

/** What the zygote does for its shells. */
export interface ShellKeeper {
  /** A new slot's number. */
  readonly next: () => number;
  readonly say: (word: string, ...numbers: readonly number[]) => void;
  /** The last shell has gone after all were dismissed. */
  readonly left: () => void;
}

/** A shell with its slot; its slot is there once the zygote has opened it. */
interface Shell {
  readonly id: number;
  slot: Slot | undefined;
  ready: boolean;
  run: ShellRun | undefined;
  /** The number of each command that it keeps. */
  readonly taught: Map<string, number>;
}

/** The shells of a zygote, and the commands that wait for one. */
export class Shells {
  readonly #keeper: ShellKeeper;
  readonly #shells = new Map<number, Shell>();
  readonly #queue: ShellRun[] = [];
  #dismissed = false;

  constructor(keeper: ShellKeeper) {
    this.#keeper = keeper;
  }

  /** How many there are, ready or not. */
  get count(): number {
    return this.#shells.size;
  }

  /** Whether a slot is one of theirs. */
  has(id: number): boolean {
    return this.#shells.has(id);
  }

  /** Whether commands can be carried out. Whoever asks has shells started if there are too few. */
  available(): boolean {
    if (this.#dismissed) return false;
    if (this.#shells.size < MOST_SHELLS) this.#open();
    for (const shell of this.#shells.values()) if (shell.ready) return true;
    return false;
  }

  /** Carries out a command as soon as a shell is free. */
  start(task: ShellTask, listener: Listener): ShellRun {
    const run = new ShellRun(task, listener, (left) => this.#leave(left));
    this.#queue.push(run);
    this.#serve();
    return run;
  }

  /** The zygote has made the pipes of a slot, or could not. */
  opened(id: number, pipes: SlotPipes): void {
    const shell = this.#shells.get(id);
    if (!shell) return;
    try {
      shell.slot = new Slot(id, pipes);
      this.#keeper.say("shell", id, shell.slot.out.fd, shell.slot.err.fd);
    } catch {
      this.#shells.delete(id); // too many open files
      this.#keeper.say("drop", id);
    }
  }

  /** It waits for commands from now on. */
  isReady(id: number, pid: number): void {
    const shell = this.#shells.get(id);
    if (!shell?.slot) return;
    shell.slot.pid = pid;
    // A newline more on both outputs: who reads up to it has all, and need not look whether there is more.
    shell.ready = shell.slot.tell(Buffer.from(`told() { set -- $?; echo; echo >&2; snaphook_say did ${id} $1; }\n`));
    this.#serve();
  }

  /** It has carried out its command. */
  did(id: number, code: number): void {
    const shell = this.#shells.get(id);
    if (!shell?.slot || !shell.run) return;
    const { run, slot } = shell;
    shell.run = undefined;
    const isRead = run.done(
      slot,
      code > HIGHEST_CODE ? { kind: "ended", code: null, signal: signalName(code - HIGHEST_CODE) } : { kind: "ended", code, signal: null },
    );
    // What was not read would be the next one's.
    if (!isRead || this.#dismissed) this.#drop(shell);
    this.#serve();
  }

  /** It has ended: by the end of the command that it carried out, or of everything. */
  ended(id: number, end: StartedEnd): void {
    const shell = this.#shells.get(id);
    if (!shell) return;
    shell.run?.lose(shell.slot, endWithShell(end));
    this.#drop(shell);
    if (!this.available()) for (const run of this.#queue.splice(0)) run.refuse();
  }

  /** Lets go of them, of each when it has carried out its command: they end when nobody can tell them anything. */
  dismiss(): void {
    this.#dismissed = true;
    for (const run of this.#queue.splice(0)) run.refuse();
    for (const shell of this.#shells.values()) if (!shell.run) this.#drop(shell);
  }

  /** They are gone, with the zygote. */
  lose(end: StartedEnd): void {
    this.#dismissed = true;
    for (const run of this.#queue.splice(0)) run.refuse();
    for (const shell of this.#shells.values()) {
      shell.run?.lose(shell.slot, end);
      this.#drop(shell);
    }
  }

  #open(): void {
    const id = this.#keeper.next();
    this.#shells.set(id, { id, slot: undefined, ready: false, run: undefined, taught: new Map() });
    this.#keeper.say("open", id, OUTPUTS);
  }

  #serve(): void {
    for (const shell of this.#shells.values()) {
      if (!shell.ready || shell.run || !shell.slot) continue;
      const run = this.#queue.shift();
      if (!run) return;
      const line = Buffer.from(lineFor(run.task, shell));
      if (line.length <= LONGEST_LINE_BYTES && shell.slot.tell(line)) {
        shell.run = run;
        run.enter(shell.slot);
      } else {
        this.#drop(shell); // it may have heard half of it
        run.refuse();
      }
    }
  }

  /** Nobody waits for this command any more. A shell that is still at it is left to itself. */
  #leave(run: ShellRun): void {
    const place = this.#queue.indexOf(run);
    if (place >= 0) this.#queue.splice(place, 1);
    for (const shell of this.#shells.values()) if (shell.run === run) this.#drop(shell);
  }

  #drop({ id, slot }: Shell): void {
    if (!this.#shells.delete(id)) return;
    this.#keeper.say("drop", id);
    slot?.close();
    if (this.#dismissed && this.#shells.size === 0) this.#keeper.left();
  }
}

/** What a shell is told: a command that it has not seen is told first, and has a number from then on. */
function lineFor({ text, variables }: ShellTask, { taught }: Shell): string {
  const known = taught.get(text);
  if (known !== undefined) return `(${variables}eval "$c${known}");told\n`;
  if (taught.size >= MOST_TAUGHT) return `(${variables}eval ${quoted(text)});told\n`;
  taught.set(text, taught.size);
  return `c${taught.size - 1}=${quoted(text)};(${variables}eval "$c${taught.size - 1}");told\n`;
}
