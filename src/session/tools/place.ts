/** Where a path of a tool's input leads, by the same reading as the permission gate. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { ToolContext } from "./tool.ts";

/** The absolute path: from the working folder, or from home where it starts with `~`. */
export function placeOf(path: string, { cwd, env }: Pick<ToolContext, "cwd" | "env">): string {
  const home = env["HOME"];
  if (home !== undefined && (path === "~" || path.startsWith("~/"))) return resolve(cwd, `${home}${path.slice(1)}`);
  return resolve(cwd, path);
}

/** A path as the model sees it: relative below the working folder, else absolute; always with slashes. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  const shown = short === "" ? "." : short === ".." || short.startsWith(`..${sep}`) || isAbsolute(short) ? path : short;
  return sep === "/" ? shown : shown.replaceAll(sep, "/");
}
