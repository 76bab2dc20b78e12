import type { FileView } from "./scene.ts";

/** A file system without symbolic links; paths need not be asked for one by one. */
export const noFiles: FileView = { readLink: () => undefined };

/** A file system whose symbolic links are given as path → target. */
export function symlinkMap(links: Readonly<Record<string, string>>): FileView {
  const targets = new Map(Object.entries(links));
  return {
    readLink(path) {
      return targets.get(path);
    },
  };
}
