import { lstatSync, readlinkSync } from "node:fs";
import type { FileView } from "./scene.ts";

/** The real disk; take a fresh one when links may have changed since rules were last placed on it. `self` is the process that /proc/self stands for. */
export function diskFiles(self?: number): FileView {
  return {
    readLink(path) {
      if (self !== undefined && path === "/proc/self") return String(self);
      if (self !== undefined && path === "/proc/thread-self") return `${self}/task/${self}`;
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
