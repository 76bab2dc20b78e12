import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What one text did: every stub that ran, with its arguments, and what happened to the guarded files. */
export interface Trace {
  readonly ran: readonly (readonly string[])[];
  /** The secret's content was printed, or copied into another file. */
  readonly leaked: boolean;
  /** The guarded file is not what it was. */
  readonly written: boolean;
}

/** Programs that only record their arguments, also behind their absolute paths. */
export const STUBS = ["touch", "curl", "rm", "git"];

/** Where a text runs; nothing of it survives the jail. */
export const JAIL_CWD = "/tmp/w";
export const SECRET = "s3cr3t-c0ntent";

/** One text may take this long. */
const LIMIT_SECONDS = 1;

const STUB = `#!/bin/dash
{ printf '%s' "\${0##*/}"; for word; do printf '\\037%s' "$word"; done; printf '\\036'; } >> /tmp/trace
`;

/** Runs each text and prints what it did; everything a text left running is ended before the next. */
const DRIVER = `
trap '' TERM HUP INT USR1
n=0
for file in /in/*.sh; do
  text=$(< "$file")
  /real/rm -rf /tmp/* /tmp/.[!.]*; mkdir /tmp/w; cd /tmp/w
  printf '${SECRET}\\n' > secret.txt; printf 'guarded\\n' > guard.txt
  ( ulimit -u 400 -f 2048; exec env -i PATH=/stubs:/usr/bin:/bin HOME=/tmp/w LANG=C timeout -s KILL ${LIMIT_SECONDS} bash --norc -c "$text" bash < /dev/null > /tmp/out 2>&1 ) 2> /dev/null
  for try in 1 2 3 4 5 6; do set -- /proc/[0-9]*; (( $# <= 2 )) && break; sleep 0.01; done
  kill -KILL -1 2> /dev/null
  cd /
  printf '\\035%s\\034' "\${file##*/}"
  [[ -e /tmp/trace ]] && cat /tmp/trace
  printf '\\034'
  if grep -qs ${SECRET} /tmp/out /tmp/w/[!s]* /tmp/w/s; then printf leaked; fi
  printf '\\034'
  if [[ ! -f /tmp/w/guard.txt || $(< /tmp/w/guard.txt) != guarded ]]; then printf written; fi
done
`;

/** Why no jail can be made here; undefined when one can. */
export function whyNoJail(): string | undefined {
  const { status, stderr, error } = spawnSync("bwrap", ["--ro-bind", "/", "/", "--tmpfs", "/tmp", "--unshare-all", "--die-with-parent", "true"], {
    encoding: "utf8",
  });
  if (error) return `bubblewrap can't be started: ${error.message}`;
  return status === 0 ? undefined : `bubblewrap can't make a jail: ${stderr.trim()}`;
}

/** Runs texts one after another in one jail: no network, a read-only root, a work folder in memory, stubs for the programs that count. */
export function runInJail(texts: readonly string[]): readonly Trace[] {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-oracle-"));
  try {
    for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${String(index).padStart(6, "0")}.sh`), text);
    const stub = join(folder, "stub");
    writeFileSync(stub, STUB);
    chmodSync(stub, 0o755);
    const overlays = STUBS.flatMap((name) => ["--ro-bind", stub, `/stubs/${name}`]);
    const installed = ["touch", "rm"].flatMap((name) => ["--ro-bind", stub, `/usr/bin/${name}`]);
    const links = ["/bin", "/sbin", "/lib", "/lib64"]
      .filter((path) => existsSync(path))
      .flatMap((path) => (lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path]));
    // prettier-ignore
    const { stdout, stderr } = spawnSync("bwrap", [
      "--unshare-all", "--die-with-parent", "--new-session", "--tmpfs", "/", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", ...links, "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
      "--ro-bind", folder, "/in", "--ro-bind", "/usr/bin/rm", "/real/rm", ...installed, ...overlays, "--remount-ro", "/", "--cap-drop", "ALL",
      "bash", "--norc", "-c", DRIVER,
    ], { maxBuffer: 256 * 1024 * 1024, env: { PATH: "/usr/bin:/bin" } });
    return readTraces({ output: stdout.toString("utf8"), trouble: stderr.toString("utf8"), count: texts.length });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readTraces({ output, trouble, count }: { readonly output: string; readonly trouble: string; readonly count: number }): readonly Trace[] {
  const traces = new Map<number, Trace>();
  for (const part of output.split("\u001D").slice(1)) {
    const [name = "", ran = "", leaked = "", written = ""] = part.split("\u001C");
    traces.set(Number.parseInt(name, 10), {
      ran: ran
        .split("\u001E")
        .filter((one) => one !== "")
        .map((one) => one.split("\u001F")),
      leaked: leaked === "leaked",
      written: written === "written",
    });
  }
  if (traces.size !== count) throw new Error(`The jail answered for ${traces.size} of ${count} texts. ${trouble.slice(0, 500)}`);
  return Array.from({ length: count }, (_, index) => traces.get(index) ?? { ran: [], leaked: false, written: false });
}
