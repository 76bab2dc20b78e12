import { Bench } from "tinybench";
import { parse } from "unbash";
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
export const scene: Scene = { mode: "default", cwd: "/srv/proj", root: "/srv/proj", home: "/home/dev", platform: "posix", files: noFiles };

/** Rules of every kind, five of which the calls meet. */
export function rules(count: number): readonly Rule[] {
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

/** Patterns without a literal beginning: only what stands in their middle tells them apart. */
function headless(count: number): readonly Rule[] {
  return Array.from({ length: count }, (_, index) => ({ verdict: "deny", text: `Bash(*word${index}x*)` }));
}

interface Case {
  readonly name: string;
  readonly call: ToolCall;
  readonly limitMicroseconds: number;
  readonly rules?: (count: number) => readonly Rule[];
}

// prettier-ignore
const CALLS: readonly Case[] = [
  { name: "read a file",        call: { name: "read",  input: { file_path: "/srv/proj/src/a.ts" } },           limitMicroseconds: 1 },
  { name: "write a file",       call: { name: "write", input: { file_path: "/srv/proj/src/a.ts", content: "" } }, limitMicroseconds: 1 },
  { name: "an MCP tool",        call: { name: "mcp__github__get_issue", input: {} },                            limitMicroseconds: 1 },
  { name: "an agent's spelling", call: { name: "Read", input: { file_path: "/srv/proj/src/a.ts" } },            limitMicroseconds: 1 },
  { name: "pnpm test",          call: { name: "shell", input: { command: "pnpm test" } },                       limitMicroseconds: 20 },
  { name: "a chain of three",   call: { name: "shell", input: { command: "pnpm install && pnpm test -- --watch && git status" } }, limitMicroseconds: 20 },
  { name: "a pipe with quotes", call: { name: "shell", input: { command: "git log --format='%h %s' | grep -v \"wip\" | head -n 5 2>/dev/null" } }, limitMicroseconds: 20 },
  { name: "a denied wrapper",   call: { name: "shell", input: { command: "sudo timeout 5 sh -c 'rm -rf /tmp/x'" } }, limitMicroseconds: 20 },
  { name: "headless patterns",  call: { name: "shell", input: { command: "pnpm install && pnpm test -- --watch" } }, limitMicroseconds: 20, rules: headless },
];

/** The same call with another number in its file or one of its words. */
function vary({ name, input }: ToolCall, index: number): ToolCall {
  const varied = (value: unknown): unknown => (typeof value === "string" ? value.replace(/(?<=\/a)(?=\.ts$)|(?<=\/x|pnpm test|wip)/, String(index)) : value);
  return { name, input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, varied(value)])) };
}

const COUNTS = [10, 10_000] as const;

/** One row of the benchmark. */
export interface PermissionRow {
  readonly name: string;
  /** The least of all samples at each number of rules: the cost without the neighbours on a shared machine. */
  readonly microseconds: readonly number[];
  /** What the neighbours left us. */
  readonly medians: readonly number[];
  readonly growth: number;
  readonly limit: number;
  /** What unbash takes to parse the same text in the same run, without looking into its words. */
  readonly parseMicroseconds: number | null;
}

/** Runs the benchmark: one row a call, at each number of rules. */
export async function benchPermissions(): Promise<readonly PermissionRow[]> {
  const bench = new Bench({ time: 400, warmupTime: 200 });
  for (const { name, call, rules: make = rules } of CALLS) {
    const calls = Array.from({ length: VARIANTS }, (_, index) => vary(call, index));
    for (const count of COUNTS) {
      const policy = compilePolicy(make(count));
      bench.add(`${name} @ ${count}`, () => {
        for (let index = 0; index < BATCH; index += 1) evaluate(calls[index % VARIANTS] ?? call, policy, scene);
      });
    }
    const texts = calls.map(({ input }) => input["command"]).filter((text) => typeof text === "string");
    bench.add(`${name} parsed`, () => {
      for (let index = 0; index < BATCH; index += 1) parse(texts[index % VARIANTS] ?? "");
    });
  }
  await bench.run();
  const measure = (name: string, which: "min" | "p50"): number => {
    const result = bench.getTask(name)?.result;
    return result && "latency" in result ? (result.latency[which] * 1000) / BATCH : Number.NaN;
  };
  return CALLS.map(({ name, call, limitMicroseconds }) => {
    const microseconds = COUNTS.map((count) => measure(`${name} @ ${count}`, "min"));
    const medians = COUNTS.map((count) => measure(`${name} @ ${count}`, "p50"));
    const parseMicroseconds = "command" in call.input ? measure(`${name} parsed`, "min") : null;
    return { name, microseconds, medians, growth: (microseconds[1] ?? 0) / (microseconds[0] ?? 1), limit: limitMicroseconds, parseMicroseconds };
  });
}

/** Commands as agents send them, from short to long. */
const REALISTIC: readonly string[] = [
  "ls -la src/ test/ && cat package.json | head -n 40",
  'git add -A && git commit -m "fix(parser): keep the blank line" && git push origin HEAD',
  "cd packages/core && pnpm install --frozen-lockfile && pnpm run build && pnpm test -- --reporter=dot 2>&1 | tail -n 60",
  "find . -name '*.ts' -not -path './node_modules/*' | xargs grep -ln 'TODO' | sort | uniq -c",
  'for f in src/**/*.ts; do echo "== $f"; sed -n \'1,20p\' "$f"; done',
  "if [ -f .env.example ]; then cp .env.example .env.test; else echo missing >&2; exit 1; fi",
  "cat > /tmp/report.md <<'EOF'\n# Report\n\n- one\n- two\nEOF\ncat /tmp/report.md",
  "docker compose up -d db && sleep 2 && docker compose exec db psql -U postgres -c 'select 1'",
  "NODE_ENV=test CI=1 npx vitest run test/permissions --coverage --coverage.reporter=text",
  "curl -sS https://example.com/api/v1/items?limit=10 | jq '.items[] | {id, name}' > items.json",
  "python3 -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt && pytest -q",
  "rg -n --hidden -g '!node_modules' 'createServer\\(' src | awk -F: '{ print $1 }' | sort -u",
  "sudo systemctl restart nginx; journalctl -u nginx --since '5 min ago' --no-pager | tail -n 100",
  `echo ${"a-long-word ".repeat(80)} && git diff --stat HEAD~5 -- src test docs`,
];

/** How long single decisions on realistic commands take at 10,000 rules, in microseconds. */
export function benchRealistic(): { readonly p50: number; readonly p99: number; readonly limit: number } {
  const policy = compilePolicy(rules(10_000));
  const samples: number[] = [];
  for (let round = 0; round < 1_500; round += 1) {
    for (const command of REALISTIC) {
      const started = performance.now();
      evaluate({ name: "shell", input: { command } }, policy, scene);
      // The first rounds run before the code is compiled.
      if (round >= 300) samples.push((performance.now() - started) * 1_000);
    }
  }
  samples.sort((left, right) => left - right);
  const at = (part: number): number => samples[Math.floor(samples.length * part)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), limit: 1_000 };
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const time = (value: number): string => `${value.toFixed(2)} µs`.padStart(10);
  for (const { name, microseconds, medians, growth, limit, parseMicroseconds } of await benchPermissions()) {
    const parsed =
      parseMicroseconds === null ? "" : `; parse alone ${parseMicroseconds.toFixed(2)} µs, × ${((microseconds[1] ?? 0) / parseMicroseconds).toFixed(1)}`;
    process.stdout.write(
      `${name.padEnd(20)} ${microseconds.map(time).join(" ")}  × ${growth.toFixed(2)}  (limit ${limit} µs; medians ${medians.map((value) => value.toFixed(2)).join(" → ")}${parsed})\n`,
    );
  }
  const { p50, p99, limit } = benchRealistic();
  process.stdout.write(`realistic commands   p50 ${p50.toFixed(1)} µs, p99 ${p99.toFixed(1)} µs  (limit ${limit} µs)\n`);
}
