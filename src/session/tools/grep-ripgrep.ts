/** A search by ripgrep, whose output is brought into our shape. */
import { runProcess } from "../../lib/process.ts";
import { findProgram } from "../../lib/programs.ts";
import { GREP_LIMIT_MS, LEFT_OUT, type GrepRequest, type GrepResult } from "./grep-request.ts";
import type { ToolContext } from "./tool.ts";

const LIMIT_BYTES = 4 * 1_048_576;

/** The `rg` on the path of an environment. */
export function findRipgrep(env: ToolContext["env"]): string | undefined {
  return findProgram(process.platform === "win32" ? "rg.exe" : "rg", env["PATH"]);
}

/** Searches with ripgrep. */
export async function searchRipgrep(file: string, request: GrepRequest, { env, tempDir, signal }: ToolContext): Promise<GrepResult> {
  const end = await runProcess({
    file,
    args: argumentsOf(request),
    env,
    cwd: request.folder,
    stdin: "",
    timeoutMs: GREP_LIMIT_MS,
    signal,
    tempDir,
    limitBytes: LIMIT_BYTES,
  });
  switch (end.kind) {
    case "exited":
      // 1 is "nothing found"; 2 may also mean that one file could not be read.
      if (end.code > 1 && end.stdout === "") return { kind: "bad", message: `the search failed: ${end.stderr.trim()}` };
      return found(end, request);
    case "timed-out":
      return { kind: "bad", message: `the search took longer than ${GREP_LIMIT_MS} ms; search in a smaller folder` };
    case "not-started":
      return { kind: "bad", message: end.message };
    case "signalled":
    case "cancelled":
    case "released":
      return { kind: "bad", message: `the search was ended (${end.kind})` };
  }
}

function found({ stdout, stdoutOver }: { readonly stdout: string; readonly stdoutOver: boolean }, request: GrepRequest): GrepResult {
  const { lines, leftOut } = linesOf(stdout, request);
  return {
    kind: "found",
    lines,
    notes: [...(stdoutOver ? [`(only the first ${LIMIT_BYTES} bytes of the result were read)`] : []), ...(leftOut ? [LEFT_OUT] : [])],
  };
}

const SHAPE_FLAGS = ["--no-config", "--no-messages", "--color=never", "--no-heading", "--with-filename", "--null", "--crlf", "--sort=path"];

const MODE_FLAGS: { readonly [mode in GrepRequest["mode"]]: readonly string[] } = {
  files_with_matches: ["--files-with-matches"],
  count: ["--count"],
  content: ["--line-number"],
};

function argumentsOf({ pattern, mode, ignoreCase, before, after, glob, file }: GrepRequest): readonly string[] {
  return [
    ...SHAPE_FLAGS,
    ...MODE_FLAGS[mode],
    ...(mode === "content" ? [`--before-context=${before}`, `--after-context=${after}`] : []),
    ...(ignoreCase ? ["--ignore-case"] : []),
    ...(glob === undefined ? [] : [`--glob=${glob}`]),
    // Of two globs the later one counts.
    "--glob=!.git",
    "--glob=!node_modules",
    `--regexp=${pattern}`,
    "--",
    `./${file ?? ""}`,
  ];
}

/** `path NUL rest`: the rest is `12:text`, `12-text`, a count, or nothing. Files that may not be read are left out. */
function linesOf(stdout: string, { mode, shown, readable }: GrepRequest): { readonly lines: readonly string[]; readonly leftOut: boolean } {
  let leftOut = false;
  const known = new Map<string, boolean>();
  const nameOf = (path: string): string | undefined => {
    const file = path.replace(/^\.\//, "");
    const may = known.get(file) ?? readable(file);
    known.set(file, may);
    leftOut ||= !may;
    return may ? shown(file) : undefined;
  };
  if (mode === "files_with_matches") {
    const lines = stdout.split("\0").flatMap((path) => (path === "" ? [] : (nameOf(path) ?? [])));
    return { lines, leftOut };
  }
  const lines = stdout.split(/\r?\n/).flatMap((line) => {
    const cut = line.indexOf("\0");
    // Without a name it is the sign between two places, or a remark about a binary file.
    if (cut < 0) return line === "--" ? [line] : [];
    const name = nameOf(line.slice(0, cut));
    const rest = line.slice(cut + 1);
    return name === undefined ? [] : [`${name}${/^\d+-/.test(rest) ? "-" : ":"}${rest}`];
  });
  return { lines, leftOut };
}
