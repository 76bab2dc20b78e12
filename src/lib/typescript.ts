/** Whether and how this Node runs TypeScript: programs of ours are built, or as they were written. */
import { createRequire } from "node:module";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";

const ENDINGS = [".ts", ".mts", ".cts", ".tsx"];

/** Whether a file is TypeScript, by its name. */
export function isTypeScript(file: string): boolean {
  return ENDINGS.includes(extname(file));
}

/** Bun does, and Node where it says so; none of them reads JSX in a way that Node does. */
export function stripsTypes(file: string): boolean {
  if (process.versions["bun"] !== undefined) return true;
  return extname(file) !== ".tsx" && Boolean(Reflect.get(process.features, "typescript"));
}

/** The loader of tsx, where somebody installed it: seen from one of these places. */
export function findTsx(places: readonly string[]): string | undefined {
  for (const place of places) {
    try {
      return pathToFileURL(createRequire(place).resolve("tsx")).href;
    } catch {
      continue; // not from here
    }
  }
  return undefined;
}

/** What Node is given to run a program of this package. */
export function programArgs(program: string): readonly string[] {
  const loader = isTypeScript(program) && !stripsTypes(program) ? findTsx([program]) : undefined;
  return loader === undefined ? [program] : ["--import", loader, program];
}
