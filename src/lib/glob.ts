/** File patterns: `*` inside a name, `**` across folders, braces, classes. */
import { Script } from "node:vm";
import picomatch from "picomatch";
import { messageOf } from "./errors.ts";

/** A compiled pattern. */
export type Glob =
  | {
      readonly kind: "ok";
      /** The paths that match, in their order; undefined when the pattern takes too long on them. */
      readonly filter: (paths: readonly string[]) => readonly string[] | undefined;
    }
  | { readonly kind: "bad"; readonly message: string };

/** How long one pattern may take on all the paths it is given: its expression can backtrack. */
export const GLOB_LIMIT_MS = 2_000;

const FILTER = new Script("paths.filter((path) => pattern.test(path))");

/** Compiles a pattern. Names that start with a dot match only where the pattern spells the dot. */
export function compileGlob(text: string): Glob {
  let pattern: RegExp;
  try {
    pattern = picomatch.makeRe(text, { dot: false });
  } catch (error) {
    return { kind: "bad", message: messageOf(error) };
  }
  return { kind: "ok", filter: (paths) => filterWithin(pattern, paths) };
}

function filterWithin(pattern: RegExp, paths: readonly string[]): readonly string[] | undefined {
  try {
    return FILTER.runInNewContext({ pattern, paths }, { timeout: GLOB_LIMIT_MS }) as readonly string[];
  } catch {
    return undefined;
  }
}

/** The folders at the front of a pattern that hold no wildcard: `src/lib` of `src/lib/**` and all of a plain path's but the last name. */
export function globBase(pattern: string): string {
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part));
  const fixed = parts.slice(0, wild < 0 ? -1 : wild).join("/");
  return fixed === "" && pattern.startsWith("/") ? "/" : fixed;
}
