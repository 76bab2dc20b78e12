import { VERDICTS } from "../../../src/model/verdict.ts";
import { MODES, type Mode, type Rule } from "../../../src/model/rule.ts";
import type { ToolCall } from "../../../src/model/tools.ts";
import { noFiles, symlinkMap } from "../../../src/permissions/file-view.ts";
import type { Scene } from "../../../src/permissions/scene.ts";
import { PATHS, randomScript } from "./commands.ts";
import type { Random } from "./random.ts";

/** A question for both evaluators. */
export interface Pair {
  readonly call: ToolCall;
  readonly rules: readonly Rule[];
  readonly mode: Mode;
  readonly links: Readonly<Record<string, string>>;
}

const LINKS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  { "/srv/proj/link": "/secrets" },
  { "/srv/proj/up": "/etc/sub" },
  { "/srv/proj/.env": "/secrets/key", "/secrets": "/vault" },
  { "/srv/proj/loop": "loop" },
  { "/etc": "/private/etc" },
  { "/srv/proj/src": "../../etc" },
];

const PATH_PATTERNS = [
  "**/.env",
  ".env",
  "/etc/**",
  "/secrets/**",
  "/secrets",
  "~/.ssh/**",
  "src/**",
  "*",
  "**",
  "/srv/proj/**",
  "*.log",
  "/etc/*",
  "//etc/**",
  "./src/*.ts",
  "/tmp/**",
  "**/*.ts",
  "/srv/proj/../proj/.env",
  "link/**",
  "/vault/**",
];
const SHELL_PATTERNS = [
  "rm -rf *",
  "rm *",
  "rm:*",
  "git push *",
  "git push",
  "git push:*",
  "git push --force*",
  "git *",
  "touch *",
  "curl:*",
  "curl *",
  "cat *",
  "echo *",
  "ls *",
  "ls",
  "pnpm *",
  "tee *",
  "* -rf *",
  "*rm*",
  "cp *",
  "mv *",
  "sudo *",
  "bash *",
  "sh -c *",
  "eval *",
  "env *",
  "find *",
  "xargs *",
  "cat .env",
  "true",
  "grep *",
  "head *",
  "test *",
  "cd *",
  "timeout *",
  "nice *",
  "git -C *",
  "X",
  "*",
];
const MCP = ["mcp__git__push", "mcp__git__status", "mcp__evil__run", "mcp__git"];
const URLS = [
  "https://evil.example/x",
  "https://a.evil.example/",
  "http://EVIL.example.:80/",
  "https://ok.example/?u=evil.example",
  "https://ok.example@evil.example/",
  "evil.example",
  "https://evil.example.ok.example/",
];

/** One call with its surroundings, and several sets of rules for it. */
export function randomPairs(random: Random, sets: number): readonly Pair[] {
  const call = randomCall(random);
  const links = random.pick(LINKS);
  return Array.from({ length: sets }, () => ({
    call,
    links,
    rules: randomRules(random, call),
    mode: random.pick([...MODES, "bypassPermissions", "bypassPermissions", "default"] as const),
  }));
}

/** The scene of a pair: a project in /srv/proj. */
export function sceneOf({ mode, links }: Pick<Pair, "mode" | "links">): Scene {
  return {
    mode,
    cwd: "/srv/proj",
    root: "/srv/proj",
    home: "/home/dev",
    platform: "posix",
    files: Object.keys(links).length === 0 ? noFiles : symlinkMap(links),
  };
}

function randomCall(random: Random): ToolCall {
  const kind = random.below(20);
  if (kind < 14) return { name: "Bash", input: { command: randomScript(random) } };
  if (kind < 18) return { name: random.pick(["Read", "Write", "Edit"]), input: { file_path: random.pick(PATHS) } };
  if (kind < 19) return { name: random.pick(MCP), input: {} };
  return { name: "WebFetch", input: { url: random.pick(URLS) } };
}

function randomRules(random: Random, call: ToolCall): readonly Rule[] {
  return Array.from({ length: random.below(5) }, (): Rule => ({
    verdict: random.pick([...VERDICTS, "deny", "allow"] as const),
    text: randomRule(random, call),
  }));
}

function randomRule(random: Random, call: ToolCall): string {
  const command = call.input["command"];
  const kind = random.below(20);
  if (typeof command === "string" && kind < 8) return `Bash(${patternFrom(random, command)})`;
  if (kind < 13 && typeof command === "string") return `Bash(${random.pick(SHELL_PATTERNS)})`;
  if (kind < 17) return `${random.pick(["Read", "Write", "Edit", "Read", "Write"])}(${random.pick(PATH_PATTERNS)})`;
  if (kind < 18) return random.pick(["Bash", "Read", "Write", "mcp__git", "mcp__evil__*", "mcp__git__push", "mcp__*", "WebFetch", "Edit"]);
  if (kind < 19) return random.pick(["WebFetch(domain:evil.example)", "WebFetch(domain:*.evil.example)", "WebFetch(domain:ok.example)"]);
  return random.pick(["Bash(", "Bash(rm -rf *", "Bash()", "Bash(rm *)", "Bash(*)"]);
}

/** A rule that concerns the command: a prefix of some words in it, with a star behind. */
function patternFrom(random: Random, command: string): string {
  const pieces = command
    .split(/[;&|()\n`'"{}]+/)
    .map((piece) => piece.replace(/^\$/, "").trim())
    .filter((piece) => /^[\w./~-]/.test(piece));
  if (pieces.length === 0) return random.pick(SHELL_PATTERNS);
  const words = random.pick(pieces).split(/\s+/);
  const start = random.chance(70) ? 0 : random.below(words.length);
  const some = words
    .slice(start, start + 1 + random.below(3))
    .join(" ")
    .replaceAll(/[()]/g, "")
    .replace(/\\+$/, "");
  return `${some}${random.pick([" *", ":*", "", "*", " *"])}`;
}
