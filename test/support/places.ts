/** Folders and files of the project, for tests. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** The executable, which loads the built bundle. Without one it would build it at every start. */
export const BIN = join(ROOT, existsSync(join(ROOT, "dist/cli/snaphook.js")) ? "bin/snaphook.js" : "not built: use npm test");
