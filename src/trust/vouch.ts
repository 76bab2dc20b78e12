/** One run of a trusted hook: what it was when it was looked at, held against what it is when it has ended. */
import { createHash } from "node:crypto";
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { messageOf } from "../lib/errors.ts";
import { differences } from "./compare.ts";
import { isUntouched, type Content } from "./content.ts";
import { identityOf, isSame, type Identity } from "./files.ts";
import { movedOn, placesOn } from "./way.ts";

/** A file that an approval covers, with the bytes that were approved. */
export interface ApprovedFile {
  /** Its real path. */
  readonly path: string;
  /** Where else it was found: paths that lead to it by a link. */
  readonly links: readonly string[];
  readonly mode: number;
  readonly bytes: Uint8Array;
}

const read = new WeakMap<Content, readonly ApprovedFile[]>();

/** Made right after the look that lets a hook run. */
export class Vouch {
  readonly #content: Content;
  readonly #places: readonly (Identity | undefined)[];
  readonly #lookAgain: () => Content;

  constructor(content: Content, lookAgain: () => Content) {
    this.#content = content;
    this.#places = placesOn(content.way);
    this.#lookAgain = lookAgain;
  }

  /** The bytes of all files that are covered, in one line. */
  get files(): string {
    return this.#content.files.map(({ path, sha256 }) => `${sha256} ${path}`).join("\n");
  }

  /** The files as they were approved, each opened once, read and hashed; a text says which is not what was approved. */
  approved(): readonly ApprovedFile[] | string {
    const known = read.get(this.#content);
    if (known) return known;
    const byPath = new Map<string, ApprovedFile>();
    for (const [name, { real, sha256, mode }] of this.#content.found) {
      const file = byPath.get(real) ?? readApproved(real, { sha256, mode });
      if (typeof file === "string") return file;
      byPath.set(real, name === real ? file : { ...file, links: [...file.links, name] });
    }
    const files = [...byPath.values()];
    read.set(this.#content, files);
    return files;
  }

  /** What of it has changed since it was looked at, also where all is again as it was; null: nothing. */
  changed(): string | null {
    const { found, watch, way, hash } = this.#content;
    const untouched = isUntouched(this.#content);
    if (!untouched) {
      for (const path of found.keys()) if (!isSame(identityOf(path), watch.get(path))) return `${path} changed while it ran`;
    }
    const moved = movedOn(way, this.#places);
    if (moved !== undefined) return `${moved} was moved or replaced while it ran`;
    if (untouched) return null;
    const now = this.#lookAgain();
    return now.hash === hash ? null : `${differences(now, this.#content).join(", ")} changed while it ran`;
  }
}

function readApproved(real: string, { sha256, mode }: { readonly sha256: string; readonly mode: number }): ApprovedFile | string {
  try {
    const file = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const bytes = readFileSync(file);
      if (createHash("sha256").update(bytes).digest("hex") !== sha256) return `${real} changed before it was started`;
      return { path: real, links: [], mode: mode & 0o777, bytes };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return `${real} can't be read: ${messageOf(error)}`;
  }
}
