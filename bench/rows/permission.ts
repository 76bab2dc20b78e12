/** Permission decisions from few rules to many, each call another than the one before. */
import type { Contender, Opened, Row } from "../row.ts";
import { openPeer } from "../support/peers.ts";
import { awaited, called, timed } from "../support/timed.ts";

const VARIANTS = 16;
const FEW_TO_MANY = [10, 10_000];
const MANY = [10, 30, 100, 300, 1_000, 3_000, 10_000];

/** Files that no rule speaks of but by its tree. */
const PATHS = Array.from({ length: VARIANTS }, (_, index) => `/srv/proj/src/a${index}.ts`);
/** Short, a chain, a pipe with quotes, and a wrapped command that is denied. */
const COMMANDS = Array.from({ length: VARIANTS }, (_, index) => [
  `pnpm test${index}`,
  `pnpm install && pnpm test${index} -- --watch && git status`,
  `git log --format='%h %s' | grep -v "wip${index}" | head -n 5 2>/dev/null`,
  `sudo timeout 5 sh -c 'rm -rf /tmp/x${index}'`,
]).flat();

/** The least there is: one walk along the path, from folder to folder. */
function trie(counts: readonly number[]): Contender {
  interface Folder {
    readonly inside: Map<string, Folder>;
    denied: boolean;
  }
  const folder = (): Folder => ({ inside: new Map(), denied: false });
  const step = (at: Folder, name: string): Folder => {
    const next = at.inside.get(name) ?? folder();
    at.inside.set(name, next);
    return next;
  };
  const decide = (root: Folder, path: string): boolean => {
    let at: Folder | undefined = root;
    for (let from = 1; at !== undefined && !at.denied;) {
      const end = path.indexOf("/", from);
      at = at.inside.get(end < 0 ? path.slice(from) : path.slice(from, end));
      if (end < 0) break;
      from = end + 1;
    }
    return at?.denied ?? false;
  };
  return {
    name: "trie",
    open: async () => {
      const roots = counts.map((count) => {
        const root = folder();
        for (let index = 0; index < count; index += 1) step(step(root, "data"), `d${index}`).denied = true;
        step(step(root, "srv"), "proj");
        return root;
      });
      return timed(roots.map((root) => rotating(PATHS, (path) => decide(root, path))));
    },
  };
}

/** Parsing alone, whatever the number of rules: no decision on shell text can be cheaper. */
function parsing(counts: readonly number[]): Contender {
  return {
    name: "parse (unbash)",
    open: async () => {
      const { parse } = await import("unbash");
      return timed(counts.map(() => rotating(COMMANDS, (command) => parse(command))));
    },
  };
}

interface Call {
  readonly name: string;
  readonly input: { readonly [key: string]: string };
}

function ours(counts: readonly number[], calls: readonly Call[]): Contender {
  return { name: "ours", open: async () => openOurs(counts, calls) };
}

async function openOurs(counts: readonly number[], calls: readonly Call[]): Promise<Opened> {
  const [{ rules, scene }, { evaluate }, { compilePolicy }] = await Promise.all([
    import("../permissions.bench.ts"),
    import("../../src/permissions/evaluate.ts"),
    import("../../src/permissions/rules.ts"),
  ]);
  return timed(
    counts.map((count) => {
      const policy = compilePolicy(rules(count));
      return rotating(calls, (call) => evaluate(call, policy, scene));
    }),
  );
}

const GEMINI_NAMES: { readonly [name: string]: string } = { read: "read_file", write: "write_file", shell: "run_shell_command" };

function gemini(counts: readonly number[], calls: readonly Call[]): Contender {
  const asked = calls.map(({ name, input }) => ({ name: GEMINI_NAMES[name] ?? name, args: input }));
  return {
    name: "Gemini CLI",
    open: async () => timed(await Promise.all(counts.map(async (rules) => awaited(await openPeer("gemini.mjs", "policy", { rules, calls: asked }))))),
  };
}

function cedar(counts: readonly number[]): Contender {
  return {
    name: "Cedar",
    open: async () => timed(await Promise.all(counts.map(async (rules) => awaited(await openPeer("cedar.mjs", "policy", { rules, path: PATHS[0] }))))),
  };
}

function rotating<Item>(items: readonly Item[], run: (item: Item) => unknown): ReturnType<typeof called> {
  let next = 0;
  return called(() => {
    const item = items[next];
    next = (next + 1) % items.length;
    return item === undefined ? undefined : run(item);
  });
}

/** Files read and written, and a tool of a server. */
const NOT_SHELL: readonly Call[] = PATHS.flatMap((path) => [
  { name: "read", input: { file_path: path } },
  { name: "write", input: { file_path: path, content: "" } },
  { name: "mcp__github__get_issue", input: {} },
]);
const SHELLS = COMMANDS.map((command) => ({ name: "shell", input: { command } }));

function notShell(counts: readonly number[]): Pick<Row, "limit" | "peers" | "ours" | "points"> {
  const peers = [gemini(counts, NOT_SHELL), cedar(counts)];
  return { points: { axis: "rules", at: counts }, limit: trie(counts), peers, ours: ours(counts, NOT_SHELL) };
}

function shell(counts: readonly number[]): Pick<Row, "limit" | "peers" | "ours" | "points"> {
  const peers = [gemini(counts, SHELLS)];
  return { points: { axis: "rules", at: counts }, limit: parsing(counts), peers, ours: ours(counts, SHELLS) };
}

/** Rows of the table. */
export const permissionRows: readonly Row[] = [
  {
    name: "permission",
    what: "permission, not shell, 10 / 10,000 rules",
    ...notShell(FEW_TO_MANY),
    goals: [
      { kind: "within", microseconds: [1], limitThen: [0.06, 0.13] },
      { kind: "growth", atMost: 2 },
    ],
  },
  {
    name: "permission-shell",
    what: "permission, shell command (parse and match), 12 / 10,000 rules",
    ...shell([12, 10_000]),
    goals: [{ kind: "within", microseconds: [15, 20] }],
  },
];

/** The same over many numbers of rules, for the plots. */
export const permissionSeries: readonly Row[] = [
  { name: "rules", what: "permission, not shell", ...notShell(MANY), goals: [] },
  { name: "rules-shell", what: "permission, shell command", ...shell(MANY), goals: [] },
];
