/** What a request asks of a shell, and whether a shell that stays could be asked for it at all. */
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { lazy } from "../lazy.ts";
import type { ProcessRequest } from "../process.ts";

/** Whether /bin/sh is dash, whose fork does what a fresh one would. Of others that is not known: bash counts its levels, and adds variables. */
export const shellIsDash = lazy(() => {
  try {
    return basename(realpathSync("/bin/sh")) === "dash";
  } catch {
    return false;
  }
});

/** The text of `/bin/sh -c` where that shell is dash; undefined for all else. */
export function commandText({ file, args }: ProcessRequest): string | undefined {
  return file === "/bin/sh" && args.length === 2 && args[0] === "-c" && shellIsDash() ? args[1] : undefined;
}

/** More than this may not fit into a program's environment; whether it does is not for a fork to find out. */
const ROOM = 65_536;

/** Whether a program could be given this environment, without doubt. */
export function fits(env: ProcessRequest["env"]): boolean {
  let size = 0;
  for (const name in env) {
    const value = env[name] ?? "";
    size += name.length + value.length;
    if (size > ROOM || name === "" || name.includes("=") || value.includes("\0") || name.includes("\0")) return false;
  }
  return true;
}
