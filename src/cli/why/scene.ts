/** Where a call is judged: this machine, this folder. */
import { hostPlatform } from "../../lib/host-platform.ts";
import { MODES, type Mode } from "../../model/rule.ts";
import { SnaphookError } from "../../model/errors.ts";
import { diskFiles } from "../../permissions/file-view-disk.ts";
import type { Scene } from "../../permissions/scene.ts";
import type { Option, Words } from "../command.ts";

/** The option that asks for another mode than the configured one. */
export const MODE_OPTION: Option = { type: "string", value: "MODE", help: `${MODES.join(", ")}; else what is configured, else default` };

/** The scene of a folder on this machine. */
export function sceneHere({ cwd, home, mode }: { readonly cwd: string; readonly home: string; readonly mode: Mode }): Scene {
  return { mode, cwd, root: cwd, home, platform: hostPlatform(), files: diskFiles() };
}

/** The mode that was asked for by name. */
export function modeOf({ values }: Words): Mode | undefined {
  const word = values["mode"]?.at(-1);
  const mode = MODES.find((each) => each === word);
  if (word === undefined || mode) return mode;
  throw new SnaphookError("SNAP_USAGE", { message: `mode ${JSON.stringify(word)} is not one of ${MODES.join(", ")}` });
}
