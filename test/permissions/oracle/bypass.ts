import type { Rule } from "../../../src/model/rule.ts";
import { evaluate } from "../../../src/permissions/evaluate.ts";
import { noFiles } from "../../../src/permissions/file-view.ts";
import { compilePolicy, type Policy } from "../../../src/permissions/rules.ts";
import type { Scene } from "../../../src/permissions/scene.ts";
import { commandMatch } from "../second/globs.ts";
import { JAIL_CWD, STUBS, runInJail, type Trace } from "./jail.ts";
import type { Seed } from "./mutate.ts";

/** One set of rules, and what must not have happened when it said allow. */
export interface Watch {
  readonly rules: readonly Rule[];
  readonly mode: "bypassPermissions" | "default";
  broken(trace: Trace): boolean;
}

/** A text that the gate allowed under these rules, although it did what they forbid. */
export interface Bypass {
  readonly text: string;
  readonly watch: Watch;
  readonly trace: Trace;
}

/** What an allow of harmless programs may never start; each list is one set of rules. */
// prettier-ignore
const ALLOWED: readonly (readonly string[])[] = [
  ["echo *"],
  ["echo *", "echo", "printf *", "cat *", "cat", "true", ":", ": *", "wait", "sleep *", "read *", "test *", "[ *", "let *", "export *", "declare *", "set *", "shopt *", "mapfile *", "unset *", "trap *", "hash *", "alias *", "compgen *", "base64 *", "rev", "cd *", "pushd *", "x", "f", "z", "local *", "getopts *", "return *", "umask *", "false", "break"],
  ["find *", "xargs *", "env *", "timeout *", "nice *", "nohup *", "stdbuf *", "command *", "builtin *", "exec *", "sed *", "awk *", "tar *", "sort *", "split *", "flock *", "setsid *", "script *", "echo *", "true", "cat *", ":", "perl *x", "diff *", "dd *", "chroot *", "su *", "setarch *", "prlimit *", "taskset *", "ionice *", "make *", "watch *"],
];

const WATCHES = new WeakMap<Watch, Policy>();

/** Everything to watch for a seed: each of its denies alone, and the allow lists that do not name it. */
export function watchesFor(seed: Seed): readonly Watch[] {
  const ran = (trace: Trace, pattern: string): boolean => trace.ran.some((words) => commandMatch(pattern, words.join(" ")) === "yes");
  return [
    ...seed.denies.map((text): Watch => ({ rules: [{ verdict: "deny", text }], mode: "bypassPermissions", broken: (trace) => ran(trace, text.slice(5, -1)) })),
    ...seed.denies
      .slice(0, 1)
      .map((text): Watch => ({ rules: [{ verdict: "ask", text }], mode: "bypassPermissions", broken: (trace) => ran(trace, text.slice(5, -1)) })),
    ...ALLOWED.map((patterns): Watch => ({
      rules: patterns.map((pattern) => ({ verdict: "allow", text: `Bash(${pattern})` })),
      mode: "default",
      broken: (trace) => trace.ran.some(([program = ""]) => STUBS.includes(program)),
    })),
  ];
}

/** What to watch for a guarded file. */
export const FILE_WATCHES: readonly Watch[] = [
  { rules: [{ verdict: "deny", text: "Read(secret.txt)" }], mode: "bypassPermissions", broken: ({ leaked }) => leaked },
  { rules: [{ verdict: "deny", text: "Write(guard.txt)" }], mode: "bypassPermissions", broken: ({ written }) => written },
  // The last list allows programs that write by themselves.
  ...ALLOWED.slice(0, -1).map((patterns): Watch => ({
    rules: patterns.map((pattern) => ({ verdict: "allow", text: `Bash(${pattern})` })),
    mode: "default",
    broken: ({ written }) => written,
  })),
];

/** The watches under which the gate would let a text run. */
export function openWatches(text: string, watches: readonly Watch[]): readonly Watch[] {
  return watches.filter((watch) => {
    const policy = WATCHES.get(watch) ?? compilePolicy(watch.rules);
    WATCHES.set(watch, policy);
    return evaluate({ name: "Bash", input: { command: text } }, policy, sceneFor(watch)).verdict === "allow";
  });
}

/** What the gate let through although it did what the rules forbid. */
export function bypasses(text: string, watches: readonly Watch[], trace: Trace): readonly Bypass[] {
  return openWatches(text, watches)
    .filter((watch) => watch.broken(trace))
    .map((watch) => ({ text, watch, trace }));
}

/** The smallest text that removing tokens reaches, still allowed and still doing it. */
export function minimise({ text, watch, trace }: Bypass): Bypass {
  let best: Bypass = { text, watch, trace };
  for (;;) {
    const tokens = best.text.match(/\s+|\w+|[^\w\s]/g) ?? [];
    const smaller = [6, 3, 2, 1].flatMap((size) =>
      Array.from({ length: Math.max(0, tokens.length - size + 1) }, (_, at) => tokens.toSpliced(at, size).join("")),
    );
    const open = [...new Set(smaller)].filter((one) => openWatches(one, [watch]).length > 0);
    if (open.length === 0) return best;
    const traces = runInJail(open);
    const found = traces.findIndex((one) => watch.broken(one));
    const shorter = open[found];
    const seen = traces[found];
    if (shorter === undefined || seen === undefined) return best;
    best = { text: shorter, watch, trace: seen };
  }
}

function sceneFor({ mode }: Watch): Scene {
  return { mode, cwd: JAIL_CWD, root: JAIL_CWD, home: JAIL_CWD, platform: "posix", files: noFiles };
}
