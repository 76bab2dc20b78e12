import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is a folder or lies below it. Both absolute; links are not followed. */
export function isInside(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

/** A path below a folder as it is written there, with slashes; undefined when it lies elsewhere. */
export function insidePath(path: string, folder: string): string | undefined {
  return isInside(path, folder) ? relative(folder, path).split(sep).join("/") : undefined;
}
