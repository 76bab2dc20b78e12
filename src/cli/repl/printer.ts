/** Lines on a surface: blank lines never double, subagents in a lane of their own, streamed text in between. */
import type { LineAgent } from "../../session/lines.ts";
import type { Surface } from "../command.ts";
import { painter } from "../render/colour.ts";
import { cleanText } from "./clean.ts";
import { usableColumns, type Look } from "./layout.ts";
import { TextFlow } from "./text-flow.ts";

const LANE = "  ┊ ";

/** Prints what a session says. */
export class Printer {
  readonly #surface: Pick<Surface, "stdout" | "terminal">;
  #flow = new TextFlow();
  #streaming = false;
  /** Nothing printed yet counts as a blank line. */
  #blank = true;

  constructor(surface: Pick<Surface, "stdout" | "terminal">) {
    this.#surface = surface;
  }

  /** The look of a lane now: terminals change their width. */
  look(agent: LineAgent): Look {
    const { columns, colour } = this.#surface.terminal;
    return { columns: usableColumns(columns) - (agent ? LANE.length : 0), paint: painter(colour) };
  }

  /** Whole lines, in the lane of their agent. */
  lines(lines: readonly string[], agent: LineAgent): void {
    this.endText();
    if (lines.length === 0) return;
    const lane = agent ? this.look(agent).paint("dim", LANE) : "";
    this.#surface.stdout(lines.map((line) => `${`${lane}${line}`.trimEnd()}\n`).join(""));
    this.#blank = lines.at(-1) === "";
  }

  /** A blank line, unless there is one. */
  gap(agent: LineAgent): void {
    this.endText();
    if (!this.#blank) this.lines([""], agent);
  }

  /** Somebody else has written a line below. */
  written(): void {
    this.#blank = false;
  }

  /** Text as it arrives. Whoever reads a file of it wants lines as the model wrote them: only a terminal's are broken. */
  text(delta: string): void {
    if (!this.#streaming) {
      if (delta.trim() === "") return;
      this.gap(null);
      this.#streaming = true;
    }
    const out = this.#flow.push(cleanText(delta), this.#width());
    if (out !== "") this.#surface.stdout(out);
  }

  /** Ends the streamed text, if there is any. */
  endText(): void {
    if (!this.#streaming) return;
    this.#streaming = false;
    this.#surface.stdout(this.#flow.end(this.#width()));
    this.#blank = false;
  }

  #width(): number {
    const { isTerminal, columns } = this.#surface.terminal;
    return isTerminal ? usableColumns(columns) : Infinity;
  }
}
