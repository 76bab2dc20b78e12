import { closeSync } from "node:fs";

/** Closes a descriptor of which nothing is wanted any more. It is gone whatever the system says, and nobody could do anything about an error. */
export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // Nothing follows from it.
  }
}
