/** Situations in which a call is denied or asked, each on another way through the engine. */
import { chmodSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { BIN } from "../../support/places.ts";
import { writeFiles } from "../../support/temp.ts";

/** One situation. */
export interface Scenario {
  readonly name: string;
  readonly files: { readonly [path: string]: string | object };
  readonly event: string;
  readonly input: { readonly [key: string]: unknown };
  /** Without faults. */
  readonly verdict: "deny" | "ask";
  /** An unreadable file makes tool calls questions; at this event nothing is called, and a notice tells. */
  readonly noticed?: true;
  readonly launcher?: "spawn" | "zygote";
  /** Whether the shells that stay are ready. */
  readonly warm?: true;
  /** A program without which it can't be. */
  readonly needs?: string;
  /** Whether what stands in the project is approved first, as a user would. */
  readonly trusts?: true;
  readonly prepare?: (cwd: string) => void;
}

const shell = { tool: { name: "Bash", input: { command: "rm -rf build" }, useId: "u-1" } };
const read = (file_path: string): Scenario["input"] => ({ tool: { name: "Read", input: { file_path }, useId: "u-1" } });
const native = (hook: object, event = "tool.before"): Scenario["files"] => ({ "home/.config/snaphook/hooks.json": { hooks: { [event]: [hook] } } });

export const SCENARIOS: readonly Scenario[] = [
  { name: "a command that denies", files: native({ command: "echo no >&2; exit 2" }), event: "tool.before", input: shell, verdict: "deny", launcher: "spawn" },
  {
    name: "a command that asks",
    files: native({ command: `echo '{"verdict": "ask", "reason": "sure?"}'` }),
    event: "tool.before",
    input: shell,
    verdict: "ask",
    launcher: "spawn",
  },
  {
    name: "a command through the zygote",
    files: native({ command: "echo no >&2; exit 2" }),
    event: "tool.before",
    input: shell,
    verdict: "deny",
    launcher: "zygote",
  },
  {
    name: "a command that the zygote's shells carry out themselves",
    files: native({ command: "echo no >&2; exit 2" }),
    event: "tool.before",
    input: shell,
    verdict: "deny",
    launcher: "zygote",
    warm: true,
  },
  {
    name: "a command in a fork of one of the zygote's shells",
    files: native({ command: "cat >/dev/null; echo no >&2; exit 2" }),
    event: "tool.before",
    input: shell,
    verdict: "deny",
    launcher: "zygote",
    warm: true,
  },
  {
    name: "a command that asks, with a payload that fits in no variable",
    files: { "home/.lime/settings.json": { hooks: { PreToolUse: [`echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`] } } },
    event: "tool.before",
    input: { tool: { name: "Bash", input: { command: `echo ${"x".repeat(120_000)}` }, useId: "u-1" } },
    verdict: "ask",
    launcher: "spawn",
  },
  {
    name: "a worker that denies",
    files: native({ command: `read -r line; echo '{"id":1,"verdict":"deny","reason":"no"}'; read -r line`, worker: true }),
    event: "tool.before",
    input: shell,
    verdict: "deny",
  },
  {
    name: "a module that denies",
    files: { ...native({ module: "./guard.mjs" }), "home/.config/snaphook/guard.mjs": 'export default () => ({ verdict: "deny", reason: "no" });' },
    event: "tool.before",
    input: shell,
    verdict: "deny",
  },
  { name: "a server that denies", files: native({ url: "@SERVER@/deny" }), event: "tool.before", input: shell, verdict: "deny" },
  {
    name: "an approved hook of a project that denies",
    files: { "project/.snaphook/hooks.yaml": "hooks:\n  tool.before:\n    - command: ./guard.sh\n", "project/guard.sh": "#!/bin/sh\nexit 2\n" },
    event: "tool.before",
    input: shell,
    verdict: "deny",
    launcher: "spawn",
    trusts: true,
  },
  ...(["readonly", "strict"] as const).map((sandbox): Scenario => ({
    name: `an approved hook of a project in the sandbox ${sandbox} that denies`,
    files: {
      "project/.snaphook/hooks.json": { hooks: { "tool.before": [{ command: "./hooks/guard.sh", sandbox }] } },
      "project/hooks/guard.sh": "#!/bin/sh\nexit 2\n",
    },
    event: "tool.before",
    input: shell,
    verdict: "deny",
    launcher: "spawn",
    trusts: true,
    needs: "bwrap",
  })),
  {
    name: "a rule about a file behind a link",
    files: {
      "project/.claude/settings.json": { permissions: { deny: ["Read(./secret/**)"], defaultMode: "default" } },
      "home/.claude/settings.json": { permissions: { defaultMode: "bypassPermissions" } },
      "project/secret/key": "x",
    },
    event: "tool.before",
    input: read("open/key"),
    verdict: "deny",
    prepare: (cwd) => symlinkSync("secret", join(cwd, "open")),
  },
  {
    name: "a rule about a command, under bypass",
    files: { "home/.claude/settings.json": { permissions: { deny: ["Bash(rm:*)"], defaultMode: "bypassPermissions" } } },
    event: "tool.before",
    input: shell,
    verdict: "deny",
  },
  {
    name: "a prompt that is denied",
    files: native({ command: "exit 2" }, "prompt.submit"),
    event: "prompt.submit",
    input: { prompt: "p" },
    verdict: "deny",
    noticed: true,
    launcher: "spawn",
  },
  {
    name: "a denied answer to a question",
    files: native({ command: "exit 2" }, "permission.request"),
    event: "permission.request",
    input: shell,
    verdict: "deny",
    launcher: "spawn",
  },
];

/** A scenario's own folders, made ready. */
export interface Stage {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
}

/** Makes the folders of a scenario below one of the test's own. */
export function setUp({ files, trusts, prepare }: Scenario, folder: string, server: string): Stage {
  const filled = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === "string" ? content : JSON.stringify(content).replaceAll("@SERVER@", server),
  ]);
  for (const place of ["project", "home", "tmp"]) mkdirSync(join(folder, place), { recursive: true, mode: 0o700 });
  writeFiles(folder, Object.fromEntries(filled));
  for (const [path] of filled) if (path?.endsWith(".sh")) chmodSync(join(folder, path), 0o755);
  const cwd = realpathSync(join(folder, "project"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), TMPDIR: join(folder, "tmp"), LANG: "C.UTF-8" };
  prepare?.(cwd);
  if (trusts) {
    const { status, stderr } = spawnSync(process.execPath, [BIN, "trust", "--yes"], { cwd, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`it could not be approved: ${stderr}`);
  }
  return { cwd, env };
}
