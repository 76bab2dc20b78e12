import { isAbsolute, relative, sep } from "node:path";

/** The folders that paths are shortened by. */
export interface Folders {
  readonly cwd: string;
  readonly home: string;
}

/** A path as people write it: relative inside the project folder, `~` inside the home folder, else whole. */
export function shortPath(path: string, { cwd, home }: Folders): string {
  if (!isAbsolute(path)) return path;
  const inside = within(path, cwd);
  if (inside !== undefined) return inside === "" ? "." : inside;
  const atHome = home === "" ? undefined : within(path, home);
  return atHome === undefined ? path : ["~", ...(atHome === "" ? [] : [atHome])].join(sep);
}

/** A message with the paths in it shortened. */
export function shortPaths(message: string, { cwd, home }: Folders): string {
  const inProject = cwd === sep ? message : message.replaceAll(`${cwd}${sep}`, "");
  return home === "" || home === sep ? inProject : inProject.replaceAll(`${home}${sep}`, `~${sep}`);
}

function within(path: string, folder: string): string | undefined {
  const rest = relative(folder, path);
  return rest === ".." || rest.startsWith(`..${sep}`) || isAbsolute(rest) ? undefined : rest;
}
