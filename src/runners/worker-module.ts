/** How a JavaScript or TypeScript module becomes a worker: our host loads it, in a Node of its own. */
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

const TYPESCRIPT = [".ts", ".mts", ".cts", ".tsx"];
/** Beside this file: built, or as it was written. */
const HOST = fileURLToPath(new URL(`../runners/worker-host${extname(import.meta.url)}`, import.meta.url));

/** What to start for a module; a text says why nothing can be. */
export function moduleLaunch(module: string, { projectDir }: { readonly projectDir: string }): Program | string {
  const typed = [module, HOST].some((file) => TYPESCRIPT.includes(extname(file)));
  if (!typed || stripsTypes(module)) return { file: process.execPath, args: [HOST, module] };
  const loader = findTsx([module, join(projectDir, "package.json"), import.meta.url]);
  if (loader === undefined)
    return `${module} is TypeScript, which Node ${process.versions.node} does not run by itself: use Node 22.18 or later, or \`npm install --save-dev tsx\``;
  return { file: process.execPath, args: ["--import", loader, HOST, module] };
}

/** Bun does, and Node where it says so; none of them reads JSX in a way that Node does. */
function stripsTypes(module: string): boolean {
  if (process.versions["bun"] !== undefined) return true;
  return extname(module) !== ".tsx" && Boolean(Reflect.get(process.features, "typescript"));
}

/** The loader of tsx, where somebody installed it: beside the module, in the project, or beside us. */
function findTsx(places: readonly string[]): string | undefined {
  for (const place of places) {
    try {
      return pathToFileURL(createRequire(place).resolve("tsx")).href;
    } catch {
      continue; // not from here
    }
  }
  return undefined;
}
