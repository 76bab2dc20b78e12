import { readlinkSync } from "node:fs";
import type { FileView } from "./scene.ts";

/** The real disk; take a fresh one when links may have changed since rules were last placed on it. */
export function diskFiles(): FileView {
  return {
    readLink(path) {
      try {
        return readlinkSync(path);
      } catch {
        // Not a link, not there or not readable: the path stands for itself.
        return undefined;
      }
    },
  };
}
