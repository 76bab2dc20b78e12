import type { Paint } from "../render/colour.ts";
import { cleanLine } from "./clean.ts";
import { durationText } from "./numbers.ts";
import type { Screen } from "./screen.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** What takes less is over before anybody could read it. */
const PATIENCE_MS = 150;

/** Who works and for how long, in the footer of a screen. */
export class Spinner {
  readonly #screen: Screen;
  readonly #paint: Paint;
  #label = "";
  #detail = "";
  #since = 0;
  #frame = 0;
  #timer: NodeJS.Timeout | null = null;
  #paused = false;

  constructor(screen: Screen, paint: Paint) {
    this.#screen = screen;
    this.#paint = paint;
  }

  /** Something else works from now on; an empty label: nobody does. */
  show(label: string): void {
    if (label === this.#label) return;
    this.#label = label;
    this.#detail = "";
    this.#since = performance.now();
    if (label === "") return this.#stop();
    this.#timer ??= setInterval(() => this.#tick(), FRAME_MS);
    this.#timer.unref();
  }

  /** The last line of what the work has printed so far. */
  progress(text: string): void {
    this.#detail = cleanLine(text.trimEnd().split("\n").at(-1) ?? "");
  }

  /** Leaves the footer to somebody else for a while. */
  pause(paused: boolean): void {
    this.#paused = paused;
    this.#since = performance.now();
  }

  #tick(): void {
    const elapsed = performance.now() - this.#since;
    if (this.#paused || elapsed < PATIENCE_MS) return;
    this.#frame = (this.#frame + 1) % FRAMES.length;
    const detail = this.#detail === "" ? [] : [this.#paint("dim", `  ${this.#detail}`)];
    const time = elapsed < 1_000 ? `${(elapsed / 1_000).toFixed(1)} s` : durationText(elapsed);
    this.#screen.footer([...detail, `${this.#paint("cyan", FRAMES[this.#frame] ?? "")} ${this.#label}  ${this.#paint("dim", `${time}  Esc cancels`)}`]);
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    if (!this.#paused) this.#screen.footer([]);
  }
}
