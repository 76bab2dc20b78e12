/** Questions in the footer of the terminal. */
import type { Paint } from "../render/colour.ts";
import { cleanText } from "./clean.ts";
import { branch } from "./layout.ts";
import type { Keyboard } from "./keyboard.ts";
import type { Key } from "./keys.ts";
import type { Screen } from "./screen.ts";
import type { Spinner } from "./spinner.ts";

/** A terminal that can be asked. */
export interface ReplTerminal {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly spinner: Spinner;
  readonly paint: Paint;
}

/** One answer to choose from. */
export interface Choice {
  readonly label: string;
  /** The key that chooses it at once. */
  readonly key: string;
}

/** Lets the user choose one, or several, of a list: arrow keys and Enter, or the key of a choice. Undefined: the signal came first. */
export async function choose(
  terminal: ReplTerminal,
  { title, choices, several = false }: { readonly title: string; readonly choices: readonly Choice[]; readonly several?: boolean },
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  const { paint } = terminal;
  const chosen = new Set<number>();
  let at = 0;
  const move = (by: number): void => void (at = (at + by + choices.length) % choices.length);
  const toggle = (index: number): void => void (chosen.delete(index) || chosen.add(index));
  const draw = (): readonly string[] => [
    `${branch("┌", paint)}${paint("bold", title)}`,
    ...choices.map(({ label, key }, index) => {
      const mark = several ? (chosen.has(index) ? "[x] " : "[ ] ") : "";
      const line = `${index === at ? "›" : " "} ${mark}${label}`;
      return `${branch("│", paint)}${index === at ? paint("cyan", line) : line}  ${paint("dim", key)}`;
    }),
    `${branch("└", paint)}${paint("dim", several ? "space chooses, Enter answers" : "")}`.trimEnd(),
  ];
  return modal(terminal, {
    draw,
    onKey: ({ name, text }, answer) => {
      const index = choices.findIndex(({ key }) => key === text.toLowerCase());
      if (name === "up" || name === "down") move(name === "up" ? -1 : 1);
      else if (several && text === " ") toggle(at);
      else if (index >= 0 && several) toggle(index);
      else if (index >= 0) answer([index]);
      else if (name === "return") answer(several && chosen.size > 0 ? [...chosen].toSorted((left, right) => left - right) : [at]);
    },
    signal,
  });
}

/** Lets the user write one line. Undefined: the signal came first. */
export async function enterText(terminal: ReplTerminal, { title }: { readonly title: string }, signal: AbortSignal): Promise<string | undefined> {
  const { paint } = terminal;
  let written = "";
  return modal(terminal, {
    draw: () => [`${branch("┌", paint)}${paint("bold", title)}`, `${branch("└", paint)}${written}▏`],
    onKey: ({ name, text }, answer) => {
      if (name === "return") answer(written.trim());
      else if (name === "character") written += cleanText(text);
      else if (name === "backspace") written = withoutLast(written);
      else if (name === "erase-line") written = "";
    },
    signal,
  });
}

/** The text without the last character that people see. */
function withoutLast(text: string): string {
  return [...new Intl.Segmenter().segment(text)]
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join("");
}

interface Modal<T> {
  readonly draw: () => readonly string[];
  readonly onKey: (key: Key, answer: (value: T) => void) => void;
  readonly signal: AbortSignal;
}

/** Owns footer and keys until it is answered. Esc and Ctrl-C are left to whoever cancels turns. */
async function modal<T>({ screen, keyboard, spinner }: ReplTerminal, { draw, onKey, signal }: Modal<T>): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const show = (): void => screen.footer(draw(), { urgent: true });
  spinner.pause(true);
  if (screen.live) show();
  else screen.write(`${draw().join("\n")}\n`);
  let release = (): void => {};
  const value = await new Promise<T | undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    release = keyboard.claim({
      onKey: (key) => {
        if (key.name === "escape" || key.name === "interrupt") return false;
        onKey(key, resolve);
        show();
        return true;
      },
      dismiss: () => resolve(undefined),
    });
  });
  screen.footer([]);
  release();
  spinner.pause(false);
  return value;
}
