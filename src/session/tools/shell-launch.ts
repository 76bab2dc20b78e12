/** How a command is given to a shell. */
import { existsSync } from "node:fs";

const BASHES = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];
const CATS = ["/bin/cat", "/usr/bin/cat"];

/** The command's own shell: it tells its last folder when it ends, and has no parameters. */
const INNER = 'trap "$2" EXIT; SNAPHOOK_COMMAND=$1; set --; eval "$SNAPHOOK_COMMAND"';

/**
 * Node's pipes are sockets, which `/dev/stdout` can't open, so an outer bash puts a real pipe before them. It tells the exit code on
 * descriptor 3 while something else may still hold the pipe; it and the pipe's reader outlive TERM to see the end.
 */
const OUTER = [
  "trap : TERM INT HUP",
  `exec 4> >(trap '' TERM INT HUP; exec 3>&-; exec "$3")`,
  "reader=$!",
  '"$0" -c "$4" "$0" "$1" "$2" >&4 2>&1 3>&- 4>&-',
  "code=$?",
  "exec 4>&-",
  'echo "$code" >&3',
  "exec 3>&-",
  'wait "$reader"',
  'exit "$code"',
].join("\n");

/** The program and arguments that run a command and write its last folder to a file. */
export function shellLaunch(command: string, cwdFile: string): { readonly file: string; readonly args: readonly string[] } {
  const tellCwd = `command pwd -P 2>/dev/null >| ${quoted(cwdFile)}`;
  const bash = BASHES.find((path) => existsSync(path));
  const cat = CATS.find((path) => existsSync(path));
  if (bash === undefined || cat === undefined) {
    const shell = bash ?? "/bin/sh";
    return { file: shell, args: ["-c", `exec 2>&1 3>&-; ${INNER}`, shell, command, tellCwd] };
  }
  return { file: bash, args: ["-c", OUTER, bash, command, tellCwd, cat, INNER] };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
