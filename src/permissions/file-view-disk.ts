import { lstatSync, readlinkSync } from "node:fs";
import { codeOf } from "../lib/errors.ts";
import type { FileView } from "./scene.ts";

/** Codes that say that there is nothing, or no longer a link, or that no file can have such a name. */
const NOTHING_THERE: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EINVAL", "ERR_INVALID_ARG_VALUE"]);

/** The real disk; take a fresh one when links may have changed since rules were last placed on it. `self` is the process that /proc/self stands for. */
export function diskFiles(self?: number): FileView {
  return {
    readLink(path) {
      if (self !== undefined && path === "/proc/self") return String(self);
      if (self !== undefined && path === "/proc/thread-self") return `${self}/task/${self}`;
      try {
        // Most paths are no links, and an exception costs more than a look.
        return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
      } catch (error) {
        // Nothing there is no link. What could not be looked at may be one: a link to itself leads nowhere certain, so the call is asked.
        return NOTHING_THERE.has(codeOf(error)) ? undefined : path;
      }
    },
  };
}
