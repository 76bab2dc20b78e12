import { lstatSync, readlinkSync } from "node:fs";
import type { FileView } from "./scene.ts";

/** The real disk; take a fresh one when links may have changed since rules were last placed on it. */
export function diskFiles(): FileView {
  return {
    readLink(path) {
      try {
        // Most paths are no links, and an exception costs more than a look.
        return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
      } catch {
        // Not readable, or no longer there: the path stands for itself.
        return undefined;
      }
    },
  };
}
