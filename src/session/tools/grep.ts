import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import * as v from "valibot";
import { count, defineTool, filledText, flag, optional } from "./define.ts";
import { GREP_MODES, type GrepRequest } from "./grep-request.ts";
import { searchFiles } from "./grep-files.ts";
import { findRipgrep, searchRipgrep } from "./grep-ripgrep.ts";
import { placeOf, shownPath } from "./place.ts";
import { toolError } from "./tool.ts";

/** Lines that one call gives unless it asks for fewer. */
export const GREP_LIMIT_LINES = 1_000;
const LINE_LIMIT_CHARACTERS = 2_000;

/** Searches file contents with a regular expression: ripgrep where there is one, else our own walk. */
export const grepTool = defineTool({
  name: "Grep",
  description:
    "Searches the contents of files for a regular expression. Gives the files that match, or with output_mode content the lines as file:line:text. " +
    "Binary files, files that start with a dot, .git and node_modules are left out unless path names them.",
  input: {
    pattern: filledText("The regular expression"),
    path: optional(filledText("The file or folder to search; the working folder where it is left out")),
    glob: optional(filledText("Only files that match this pattern, such as *.ts")),
    output_mode: optional(v.pipe(v.picklist(GREP_MODES, `is not one of ${GREP_MODES.join(", ")}`), v.description("What to give"))),
    "-i": optional(flag("Upper and lower case are the same")),
    "-A": optional(count("Lines to give after each match", 0)),
    "-B": optional(count("Lines to give before each match", 0)),
    "-C": optional(count("Lines to give around each match", 0)),
    head_limit: optional(count("How many lines of the result to give", 1)),
  },
  run: async (input, context) => {
    const place = placeOf(input.path ?? ".", context);
    const single = !(await stat(place)).isDirectory();
    const folder = single ? dirname(place) : place;
    const around = input["-C"] ?? 0;
    const request: GrepRequest = {
      pattern: input.pattern,
      mode: input.output_mode ?? "files_with_matches",
      ignoreCase: input["-i"] ?? false,
      before: input["-B"] ?? around,
      after: input["-A"] ?? around,
      glob: input.glob ?? undefined,
      folder,
      file: single ? basename(place) : undefined,
      readable: (file) => context.mayRead?.(placeOf(`${folder}/${file}`, context)) ?? true,
      shown: (file) => shownPath(placeOf(`${folder}/${file}`, context), context.cwd),
    };
    const ripgrep = findRipgrep(context.env);
    const result = ripgrep === undefined ? await searchFiles(request, context) : await searchRipgrep(ripgrep, request, context);
    context.signal.throwIfAborted();
    if (result.kind === "bad") return toolError(result.message);
    const lines = result.lines.slice(0, input.head_limit ?? GREP_LIMIT_LINES);
    const more = result.lines.length - lines.length;
    const notes = [...(result.lines.length === 0 ? ["No matches found."] : []), ...(more > 0 ? [`(${more} more lines are left out)`] : []), ...result.notes];
    return { output: [...lines.map(shortLine), ...notes].join("\n"), isError: false };
  },
});

function shortLine(line: string): string {
  return line.length > LINE_LIMIT_CHARACTERS ? `${line.slice(0, LINE_LIMIT_CHARACTERS)} … (${line.length - LINE_LIMIT_CHARACTERS} more characters)` : line;
}
