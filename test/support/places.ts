/** Folders and files of the project, for tests. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** The executable, which loads the built bundle. */
export const BIN = join(ROOT, "bin/snaphook.js");
