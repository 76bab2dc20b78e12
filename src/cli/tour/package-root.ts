import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject, parseJson } from "../../lib/json.ts";
import { SnaphookError } from "../../model/errors.ts";

/** The folder of the package that a module belongs to; sources and the bundle lie at different depths. */
export function packageRoot(moduleUrl: string): string {
  for (let folder = dirname(fileURLToPath(moduleUrl)); ; folder = dirname(folder)) {
    if (isOurs(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) throw new SnaphookError("SNAP_INTERNAL", { message: "the package's own folder was not found; install snaphook again" });
  }
}

function isOurs(manifest: string): boolean {
  try {
    const value = parseJson(readFileSync(manifest, "utf8"));
    return isObject(value) && value["name"] === "snaphook";
  } catch {
    return false;
  }
}
