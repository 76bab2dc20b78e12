/** How a JavaScript or TypeScript module becomes a worker: our host loads it, in a Node of its own. */
import { dirname, extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { findTsx, isTypeScript, stripsTypes } from "../lib/typescript.ts";

interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** What it reads of ours before it reads the module. */
  readonly needs: readonly string[];
}

/** Beside this file: built, or as it was written. */
const HOST = fileURLToPath(new URL(`../runners/worker-host${extname(import.meta.url)}`, import.meta.url));

/** Node, our own files, and what says that they are modules. */
const OURS = [process.execPath, dirname(dirname(HOST)), join(dirname(dirname(dirname(HOST))), "package.json")];

/** The folder of packages that a file is in: a loader needs its neighbours. */
function packagesOf(file: string): string {
  const name = `${sep}node_modules${sep}`;
  const at = file.lastIndexOf(name);
  return at < 0 ? dirname(file) : file.slice(0, at + name.length - 1);
}

/** What to start for a module; a text says why nothing can be. */
export function moduleLaunch(module: string, { projectDir }: { readonly projectDir: string }): Program | string {
  const typed = [module, HOST].some(isTypeScript);
  if (!typed || stripsTypes(module)) return { file: process.execPath, args: [HOST, module], needs: OURS };
  const loader = findTsx([module, join(projectDir, "package.json"), import.meta.url]);
  if (loader === undefined)
    return `${module} is TypeScript, which Node ${process.versions.node} does not run by itself: use Node 22.18 or later, or \`npm install --save-dev tsx\``;
  return { file: process.execPath, args: ["--import", loader, HOST, module], needs: [...OURS, packagesOf(fileURLToPath(loader))] };
}
