import { stat } from "node:fs/promises";
import { compileGlob, globBase } from "../../lib/glob.ts";
import { defineTool, filledText, optional } from "./define.ts";
import { placeOf, shownPath } from "./place.ts";
import { toolError } from "./tool.ts";
import { walk, WALK_LIMIT_ENTRIES } from "./walk.ts";

/** Files that one call names at most. */
export const GLOB_LIMIT_FILES = 1_000;

/** Finds files by a pattern of their path. */
export const globTool = defineTool({
  name: "Glob",
  description:
    "Finds files whose path matches a pattern such as src/**/*.ts, sorted by name. Files that start with a dot, .git and node_modules " +
    "are found only where the pattern names them.",
  input: { pattern: filledText("The pattern"), path: optional(filledText("The folder to look in; the working folder where it is left out")) },
  run: async ({ pattern, path }, context) => {
    const root = placeOf(path ?? ".", context);
    if (!(await stat(root)).isDirectory()) return toolError(`path ${path} is not a folder`);
    const from = { cwd: root, env: context.env };
    const plain = placeOf(pattern, from);
    if (await isFile(plain)) return { output: shownPath(plain, context.cwd), isError: false };
    const glob = compileGlob(pattern.replace(/^\.\//, ""));
    if (glob.kind === "bad") return toolError(`pattern is not a file pattern: ${glob.message}`);
    const base = globBase(pattern.replace(/^\.\//, ""));
    const folder = placeOf(base === "" ? "." : base, from);
    const { files, cut } = await walk(folder, { named: pattern, signal: context.signal });
    const prefix = base === "" ? "" : base === "/" ? "/" : `${base}/`;
    const found = glob.filter(files.map((file) => `${prefix}${file}`));
    if (!found) return toolError("pattern takes too long to match; write it more simply");
    const shown = found.slice(0, GLOB_LIMIT_FILES).map((file) => shownPath(placeOf(file, from), context.cwd));
    const notes = [
      ...(found.length === 0 ? ["No files found."] : []),
      ...(found.length > shown.length ? [`(${found.length - shown.length} more files match; write a narrower pattern)`] : []),
      ...(cut ? [`(there are more than ${WALK_LIMIT_ENTRIES} files below ${shownPath(folder, context.cwd)}; not all were looked at)`] : []),
    ];
    return { output: [...shown, ...notes].join("\n"), isError: false };
  },
});

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}
