import { statSync } from "node:fs";
import { codeOf } from "./errors.ts";

/** Whether something may stand at a path: false only where the system says that nothing does. `existsSync` also says no when it could not look. */
export function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A file in the place of a folder: nothing can stand below it.
    return codeOf(error) !== "ENOTDIR";
  }
}
