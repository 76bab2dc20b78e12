/** Tells a prepared child what to become. */
import { closeQuietly } from "../close-quietly.ts";
import type { ProcessRequest } from "../process.ts";
import { unnamedFile, type StdinFile } from "../stdin-file.ts";
import { bodyOf, encodeReference, encodeRequest } from "./request.ts";
import type { Slot } from "./slot.ts";

/** What a child has from the zygote. */
export interface Surroundings {
  readonly env: { readonly [name: string]: string };
  readonly umask: number;
}

/** Longer requests go through a file: a pipe holds no more than a page where its user has many. */
const LONGEST_TOLD_BYTES = 4_096;

/** One request, until its program has ended. */
export class Telling {
  readonly #request: ProcessRequest;
  readonly #stdin: StdinFile;
  readonly #surroundings: Surroundings;
  #file: number | undefined;

  constructor(request: ProcessRequest, stdin: StdinFile, surroundings: Surroundings) {
    this.#request = request;
    this.#stdin = stdin;
    this.#surroundings = surroundings;
  }

  /** False: the child was not told. */
  tell(slot: Slot): boolean {
    try {
      const encoded = this.#encoded();
      if (!encoded) return false;
      if (encoded.length <= LONGEST_TOLD_BYTES) return slot.tell(encoded);
      this.#file = unnamedFile(bodyOf(encoded), this.#request.tempDir);
      return slot.tell(encodeReference(`/proc/${process.pid}/fd/${this.#file}`));
    } catch {
      return false; // no file for it, or for its stdin: spawn says why
    }
  }

  forget(): void {
    if (this.#file !== undefined) closeQuietly(this.#file);
    this.#file = undefined;
  }

  #encoded(): Buffer | undefined {
    const { cwd, env, file, args } = this.#request;
    const mask = process.umask();
    const umask = mask === this.#surroundings.umask ? undefined : mask;
    return encodeRequest({ stdin: this.#stdin.path, cwd, umask, env, file, args }, this.#surroundings.env);
  }
}
