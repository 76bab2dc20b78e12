import { pathToFileURL } from "node:url";
import { messageOf } from "../lib/errors.ts";
import { isObject } from "../lib/json.ts";
import { SnaphookError } from "../model/errors.ts";

/** The exports of a module given with `--callbacks`. */
export async function loadCallbacks(path: string): Promise<{ readonly [name: string]: unknown }> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return isObject(module) ? module : {};
  } catch (error) {
    throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${path}: the callbacks can't be loaded: ${messageOf(error)}` });
  }
}
