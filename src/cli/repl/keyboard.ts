/** The terminal's input: keys while the agent works, edited lines while it waits. */
import { createInterface, type Completer, type Interface } from "node:readline";
import { PassThrough } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { keysOf, type Key } from "./keys.ts";
import { PasteFilter } from "./paste.ts";
import type { Screen } from "./screen.ts";

/** How the editing of a line ended. */
export type LineRead = { readonly kind: "line"; readonly text: string } | { readonly kind: "interrupt"; readonly empty: boolean } | { readonly kind: "end" };

/** How a line is edited. */
export interface LineOptions {
  readonly prompt: string;
  /** The newest first. */
  readonly history: readonly string[];
  readonly completer: Completer;
  readonly signal: AbortSignal;
}

/** Takes a key, or lets somebody else have it. */
export type KeyListener = (key: Key) => boolean;

/** Somebody who must be answered before anything else is typed. */
export interface Claim {
  readonly onKey: KeyListener;
  /** Esc or Ctrl-C, where there is no turn that they would cancel. */
  readonly dismiss: () => void;
}

/** The keyboard. Nothing typed is lost: what nobody takes while the agent works waits for the next line. */
export class Keyboard {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #screen: Screen;
  readonly #paste = new PasteFilter();
  readonly #listeners: KeyListener[] = [];
  readonly #gone = new AbortController();
  #claims: readonly Claim[] = [];
  #unclaimed = (): void => {};
  #editor: PassThrough | null = null;
  #typed = "";
  readonly #onData = (chunk: string): void => this.#receive(this.#paste.push(chunk));

  constructor({ input, output, screen }: { readonly input: ReadStream; readonly output: WriteStream; readonly screen: Screen }) {
    this.#input = input;
    this.#output = output;
    this.#screen = screen;
  }

  /** Aborted when the terminal is closed. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  open(): void {
    const gone = (): void => this.#gone.abort();
    this.#output.on("error", gone);
    for (const event of ["error", "end", "close"]) this.#input.on(event, gone);
    this.#input.setRawMode(true);
    this.#input.setEncoding("utf8");
    this.#input.on("data", this.#onData);
    this.#input.resume();
  }

  close(): void {
    this.#input.off("data", this.#onData);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  /** The newest listener is asked first. Returns the function that ends it. */
  listen(listener: KeyListener): () => void {
    this.#listeners.push(listener);
    return () => void this.#listeners.splice(this.#listeners.indexOf(listener), 1);
  }

  /** Takes the keys also from a line that is being edited. Returns the function that ends it. */
  claim(claim: Claim): () => void {
    const release = this.listen(claim.onKey);
    this.#claims = [...this.#claims, claim];
    return () => {
      release();
      this.#claims = this.#claims.filter((each) => each !== claim);
      if (this.#claims.length === 0) this.#unclaimed();
    };
  }

  /** Forgets what was typed ahead. */
  forget(): void {
    this.#typed = "";
  }

  /** Lets the user edit one line. */
  async readLine({ prompt, history, completer, signal }: LineOptions): Promise<LineRead> {
    if (this.#claims.length > 0) await new Promise<void>((resolve) => void (this.#unclaimed = resolve));
    if (signal.aborted) return { kind: "end" };
    const input = new PassThrough();
    const editor = createInterface({
      input,
      output: this.#output,
      terminal: true,
      prompt,
      history: [...history],
      historySize: history.length + 1,
      completer,
      escapeCodeTimeout: ESCAPE_MS,
    });
    const giveBack = this.#screen.lend({ erase: () => eraseEditor(editor, this.#output), draw: () => editor.prompt(true) });
    const read = await new Promise<LineRead>((resolve) => {
      editor.once("line", (text) => resolve({ kind: "line", text }));
      editor.once("SIGINT", () => resolve({ kind: "interrupt", empty: editor.line === "" }));
      editor.once("close", () => resolve({ kind: "end" }));
      editor.on("SIGTSTP", () => this.#suspend(editor));
      signal.addEventListener("abort", () => resolve({ kind: "end" }), { once: true });
      editor.prompt();
      this.#editor = input;
      const typed = this.#typed;
      this.#typed = "";
      this.#receive(typed);
    });
    this.#editor = null;
    editor.close();
    if (read.kind !== "line") this.#output.write("\n");
    giveBack();
    return read;
  }

  /** Ctrl-Z: the shell gets its terminal as it was, and we get ours back. */
  #suspend(editor: Interface): void {
    this.#input.setRawMode(false);
    process.once("SIGCONT", () => {
      this.#input.setRawMode(true);
      editor.prompt(true);
    });
    process.kill(process.pid, "SIGTSTP");
  }

  /** A line editor gets no more than its own line: the rest belongs to the next one. */
  #receive(text: string): void {
    if (text === "") return;
    const editor = this.#editor;
    if (!editor || this.#claims.length > 0) return this.#listenersTake(text);
    const end = text.search(/[\r\n]/);
    if (end < 0) return void editor.write(text);
    this.#editor = null;
    editor.write(text.slice(0, end + 1));
    this.#typed += text.slice(text.startsWith("\r\n", end) ? end + 2 : end + 1);
  }

  #listenersTake(text: string): void {
    for (const key of keysOf(text)) {
      if (this.#listeners.toReversed().some((listener) => listener(key))) continue;
      const claim = this.#claims.at(-1);
      if (claim) claim.dismiss();
      else if (key.name !== "escape") this.#typed += key.text;
    }
  }
}

/** A lone escape in a line means nothing: it need not be waited for. */
const ESCAPE_MS = 50;

function eraseEditor(editor: Interface, output: WriteStream): void {
  const { rows } = editor.getCursorPos();
  output.write(`\r${rows > 0 ? `\u001B[${rows}A` : ""}\u001B[J`);
}
