/** How a JavaScript or TypeScript module becomes a worker: our host loads it, in a Node of its own. */
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findTsx, isTypeScript, stripsTypes } from "../lib/typescript.ts";

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/** Beside this file: built, or as it was written. */
const HOST = fileURLToPath(new URL(`../runners/worker-host${extname(import.meta.url)}`, import.meta.url));

/** What to start for a module; a text says why nothing can be. */
export function moduleLaunch(module: string, { projectDir }: { readonly projectDir: string }): Program | string {
  const typed = [module, HOST].some(isTypeScript);
  if (!typed || stripsTypes(module)) return { file: process.execPath, args: [HOST, module] };
  const loader = findTsx([module, join(projectDir, "package.json"), import.meta.url]);
  if (loader === undefined)
    return `${module} is TypeScript, which Node ${process.versions.node} does not run by itself: use Node 22.18 or later, or \`npm install --save-dev tsx\``;
  return { file: process.execPath, args: ["--import", loader, HOST, module] };
}
