/** Commands of login shells: the same results as with a profile that is read each time, whatever the profile does. */
import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openLauncher } from "../../src/lib/launcher.ts";
import type { ProcessEnd, ProcessRequest } from "../../src/lib/process.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const PATH = process.env["PATH"] ?? "";
const { signal } = new AbortController();
const launcher = openLauncher("zygote");
const spawn = openLauncher("spawn");
afterAll(() => launcher.close());

function login(home: string, command: string, env: { readonly [name: string]: string } = {}): ProcessRequest {
  return {
    file: "/bin/sh",
    args: ["-lc", command],
    login: true,
    env: { PATH, HOME: home, ...env },
    cwd: home,
    stdin: "{}",
    timeoutMs: 20_000,
    signal,
    tempDir: home,
  };
}

/** How often the profile was read: each of ours says so in a file. */
const COUNTS = 'echo read >>"$HOME/count"\n';
const reads = (home: string): number => readFileSync(join(home, "count"), "utf8").split("\n").length - 1;

/** Runs a command until the profile is not read for it any more. */
async function warmUp(home: string, command = ":"): Promise<boolean> {
  for (let each = 0; each < 100; each++) {
    const before = reads(home);
    await launcher.run(login(home, command));
    await new Promise((resolve) => void setTimeout(resolve, 30));
    if (reads(home) === before) return true;
  }
  return false;
}

function homeWith(profile: string): string {
  const home = tempFolder();
  writeFiles(home, { ".profile": COUNTS + profile, count: "" });
  return home;
}

describe("a profile that sets variables is read once", () => {
  test("and the commands after that see what it set", { timeout: 60_000 }, async () => {
    const home = homeWith('export FROM="profile $HOME"\nPATH="$HOME/bin:$PATH"\nunset GONE\n');
    expect(await warmUp(home)).toBe(true);
    const before = reads(home);
    const print = 'echo "$FROM|$GONE|$OWN"; echo "$PATH"; umask; /usr/bin/env -0 | sort -z';
    const request = login(home, print, { OWN: "of the hook\nand so on" });
    const end = await launcher.run(request);
    expect(reads(home)).toBe(before);
    expect(end).toEqual(await spawn.run(request));
  });

  test("again when it has changed", { timeout: 60_000 }, async () => {
    const home = homeWith("export FROM=first\n");
    expect(await warmUp(home)).toBe(true);
    writeFiles(home, { ".profile": `${COUNTS}export FROM=second\n` });
    expect(await launcher.run(login(home, "echo $FROM"))).toMatchObject({ stdout: "second\n" });
  });

  test("again when a file that it reads has changed, or is there now", { timeout: 60_000 }, async () => {
    const home = homeWith('FROM=profile\n. "$HOME/more"\n[ -f "$HOME/late" ] && . "$HOME/late"\nexport FROM\n');
    writeFiles(home, { more: "FROM=more\n" });
    utimesSync(join(home, "more"), 1, 1);
    expect(await warmUp(home)).toBe(true);
    writeFiles(home, { more: "FROM=changed\n" });
    expect(await launcher.run(login(home, "echo $FROM"))).toMatchObject({ stdout: "changed\n" });
    expect(await warmUp(home)).toBe(true);
    writeFiles(home, { late: "FROM=late\n" });
    expect(await launcher.run(login(home, "echo $FROM"))).toMatchObject({ stdout: "late\n" });
  });
});

describe("what a plain shell can't be given, the profile is read for", () => {
  test.each([
    ["it prints", "echo welcome; echo careful >&2\n", ":", {}],
    ["it defines a function", "greet() { echo hello $1; }\n", "greet you", {}],
    ["it defines an alias", "alias greet='echo hello'\n", "greet", {}],
    ["it evaluates text", 'eval "greet2 () { echo hello; }"\n', "greet2", {}],
    ["it sets a variable without exporting it", "SECRET=42\n", "echo [$SECRET]", {}],
    ["it sets an option", "set -u\n", "echo $UNSET; echo on", {}],
    ["it sets a mask", "umask 077\n", "umask", {}],
    ["it sets a trap", "trap 'echo bye' EXIT\n", "echo hi", {}],
    ["it goes elsewhere", "cd /\n", "pwd", {}],
    ["it exits", "exit 3\n", "echo never", {}],
    ["it reads stdin", "read -r LINE\nexport LINE\n", 'echo "$LINE"; cat', {}],
    ["it uses a variable of the hook", 'export SEEN="<$HOOK_EVENT>"\n', "echo $SEEN", { HOOK_EVENT: "other" }],
    ["it overrides a variable of the hook", "export HOOK_EVENT=profile\n", "echo $HOOK_EVENT", { HOOK_EVENT: "other" }],
    ["it lists the environment", "COUNT=$(env | grep -c HOOK_)\nexport COUNT\n", "echo $COUNT", { HOOK_A: "1", HOOK_B: "2" }],
    ["the command asks", "export A=1\n", 'case $- in *l*) echo login;; *) echo "plain $-";; esac', {}],
  ])("%s", { timeout: 60_000 }, async (_, profile, command, env) => {
    const home = homeWith(profile);
    const expected = comparable(await spawn.run(login(home, command, env)), home);
    for (let each = 0; each < 4; each++) {
      await launcher.run(login(home, ":"));
      await new Promise((resolve) => void setTimeout(resolve, 150));
      expect(comparable(await launcher.run(login(home, command, env)), home)).toEqual(expected);
    }
  });
});

function comparable(end: ProcessEnd, home: string): string {
  return JSON.stringify(end).replaceAll(home, "HOME");
}
