import { statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Where a program of this name is, by the PATH given; folders that are named relatively are not looked into. */
export function findProgram(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** Whether a file is there and may be started. */
export function isProgram(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && stat.isFile() && (process.platform === "win32" || (stat.mode & 0o111) !== 0);
  } catch {
    return false; // a folder on the way may not be entered
  }
}
