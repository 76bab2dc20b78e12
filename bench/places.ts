/** Where things are, from `bench/` and from `.bench/` alike. */
import { fileURLToPath } from "node:url";
import { join } from "node:path";

/** The project's folder. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The command line as it is installed. */
export const BIN = join(ROOT, "bin/snaphook.js");
/** The folder that the peers are installed in. */
export const PEERS = join(ROOT, "bench/peers");
/** The last whole run, from which the page and the plots are drawn. */
export const RESULT = join(ROOT, "bench/result.json");
