import { Bench } from "tinybench";
import type { Rule } from "../src/model/rule.ts";
import type { ToolCall } from "../src/model/tools.ts";
import { evaluate } from "../src/permissions/evaluate.ts";
import { noFiles } from "../src/permissions/file-view.ts";
import { compilePolicy } from "../src/permissions/rules.ts";
import type { Scene } from "../src/permissions/scene.ts";

/** Decisions of one sample: a batch hides the cost of the clock. */
const BATCH = 100;
/** Spellings of each call in a batch, so that no decision repeats the one before it. */
const VARIANTS = 16;

/** Decisions at 10 and 10,000 rules; nothing is kept between decisions but the compiled policy and its placement. */
const scene: Scene = { mode: "default", cwd: "/srv/proj", root: "/srv/proj", home: "/home/dev", platform: "posix", files: noFiles };

function rules(count: number): readonly Rule[] {
  const made: Rule[] = [
    { verdict: "deny", text: "Bash(rm -rf *)" },
    { verdict: "deny", text: "Read(**/.env)" },
    { verdict: "allow", text: "Bash(pnpm *)" },
    { verdict: "allow", text: "Write(/srv/proj/src/**)" },
    { verdict: "allow", text: "mcp__github__get_issue" },
  ];
  const kinds: readonly ((index: number) => Rule)[] = [
    (index) => ({ verdict: "deny", text: `Bash(tool${index} run *)` }),
    (index) => ({ verdict: "allow", text: `Bash(git sub${index} *)` }),
    (index) => ({ verdict: "deny", text: `Read(/data/d${index}/**)` }),
    (index) => ({ verdict: "ask", text: `Write(/var/v${index}/*.log)` }),
    (index) => ({ verdict: "allow", text: `mcp__server${index}__tool` }),
  ];
  for (let index = 0; made.length < count; index += 1) {
    const kind = kinds[index % kinds.length];
    if (kind) made.push(kind(index));
  }
  return made;
}

// prettier-ignore
const CALLS: readonly { readonly name: string; readonly call: ToolCall; readonly limitMicroseconds: number }[] = [
  { name: "read a file",        call: { name: "read",  input: { file_path: "/srv/proj/src/a.ts" } },           limitMicroseconds: 1 },
  { name: "write a file",       call: { name: "write", input: { file_path: "/srv/proj/src/a.ts", content: "" } }, limitMicroseconds: 1 },
  { name: "an MCP tool",        call: { name: "mcp__github__get_issue", input: {} },                            limitMicroseconds: 1 },
  { name: "pnpm test",          call: { name: "shell", input: { command: "pnpm test" } },                       limitMicroseconds: 20 },
  { name: "a chain of three",   call: { name: "shell", input: { command: "pnpm install && pnpm test -- --watch && git status" } }, limitMicroseconds: 20 },
  { name: "a pipe with quotes", call: { name: "shell", input: { command: "git log --format='%h %s' | grep -v \"wip\" | head -n 5 2>/dev/null" } }, limitMicroseconds: 20 },
  { name: "a denied wrapper",   call: { name: "shell", input: { command: "sudo timeout 5 sh -c 'rm -rf /tmp/x'" } }, limitMicroseconds: 20 },
];

/** The same call with another number in its file or last word. */
function vary({ name, input }: ToolCall, index: number): ToolCall {
  return {
    name,
    input: Object.fromEntries(
      Object.entries(input).map(([key, value]) => [
        key,
        typeof value === "string" ? value.replace(/(a)(?=\.ts$)|(?<=\/x|status|test|null)$/, `$1${index}`) : value,
      ]),
    ),
  };
}

const COUNTS = [10, 10_000] as const;

/** Runs the benchmark and prints one row a call: microseconds at each number of rules, growth, and the limit. */
export async function benchPermissions(): Promise<
  readonly { name: string; microseconds: readonly number[]; medians: readonly number[]; growth: number; limit: number }[]
> {
  const bench = new Bench({ time: 400, warmupTime: 200 });
  for (const count of COUNTS) {
    const policy = compilePolicy(rules(count));
    for (const { name, call } of CALLS) {
      const calls = Array.from({ length: VARIANTS }, (_, index) => vary(call, index));
      bench.add(`${name} @ ${count}`, () => {
        for (let index = 0; index < BATCH; index += 1) evaluate(calls[index % VARIANTS] ?? call, policy, scene);
      });
    }
  }
  await bench.run();
  // The least of all samples is the cost without the neighbours on a shared machine; the median is what they left us.
  const measure = (name: string, which: "min" | "p50"): number => {
    const result = bench.getTask(name)?.result;
    return result && "latency" in result ? (result.latency[which] * 1000) / BATCH : Number.NaN;
  };
  return CALLS.map(({ name, limitMicroseconds }) => {
    const microseconds = COUNTS.map((count) => measure(`${name} @ ${count}`, "min"));
    const medians = COUNTS.map((count) => measure(`${name} @ ${count}`, "p50"));
    return { name, microseconds, medians, growth: (microseconds[1] ?? 0) / (microseconds[0] ?? 1), limit: limitMicroseconds };
  });
}

if (import.meta.url === `file://${process.argv[1]}`) {
  for (const { name, microseconds, medians, growth, limit } of await benchPermissions()) {
    process.stdout.write(
      `${name.padEnd(20)} ${microseconds.map((value) => `${value.toFixed(2)} µs`.padStart(10)).join(" ")}  × ${growth.toFixed(2)}  (limit ${limit} µs; medians ${medians.map((value) => value.toFixed(2)).join(" → ")})\n`,
    );
  }
}
