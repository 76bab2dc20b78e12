const SHOWN_CHARACTERS = 200;

/** What was odd about what a worker said since its last answer: for the notices of the next one. */
export class Remarks {
  #remarks: string[] = [];
  #noiseLines = 0;
  #firstNoise = "";

  add(remark: string): void {
    this.#remarks.push(remark);
  }

  /** A line on stdout that is no answer. */
  hear(text: string): void {
    this.#noiseLines += 1;
    if (this.#noiseLines === 1) this.#firstNoise = text.slice(0, SHOWN_CHARACTERS);
  }

  /** All of them; nothing is left afterwards. */
  take(): readonly string[] {
    if (this.#noiseLines === 0 && this.#remarks.length === 0) return NOTHING;
    const many = this.#noiseLines > 1 ? `${this.#noiseLines} lines on stdout that are no answers, the first` : "a line on stdout that is no answer";
    const taken = [...this.#remarks, ...(this.#noiseLines > 0 ? [`it printed ${many}: ${this.#firstNoise}`] : [])];
    this.#remarks = [];
    this.#noiseLines = 0;
    return taken;
  }
}

const NOTHING: readonly string[] = [];
