// tsx scripts/oracle.ts [--mutants N] [--seed S] [--suspects] [--keep]: real bash in a jail against the gate; a denied program that ran is a bypass.
import { appendFileSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { bypasses, FILE_WATCHES, minimise, openWatches, watchesFor, type Bypass } from "../test/permissions/oracle/bypass.ts";
import { JAIL_CWD, runInJail, whyNoJail } from "../test/permissions/oracle/jail.ts";
import { FILE_SEEDS, mutate, SEEDS, singles, type Seed } from "../test/permissions/oracle/mutate.ts";
import { finding } from "../test/permissions/second/findings.ts";
import { seeded } from "../test/permissions/second/random.ts";

const FINDINGS = new URL("../test/permissions/findings.jsonl", import.meta.url);
const BATCH = 250;
/** Bypasses that are minimised and shown in one run. */
const SHOWN = 60;

const { values } = parseArgs({
  options: {
    mutants: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    suspects: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const reason = whyNoJail();
if (reason !== undefined) {
  console.error(reason);
  process.exit(process.env["CI"] === "true" ? 1 : 0);
}

const random = seeded(Number(values.seed));
const started = performance.now();
const known = new Set<string>();
const shown = new Set<string>();
let made = 0;
let executed = 0;
let effective = 0;
let found = 0;

for (const batch of batches()) {
  const traces = runInJail(batch.map(({ text }) => text));
  for (const [index, one] of batch.entries()) {
    const trace = traces[index];
    if (trace === undefined) continue;
    executed += 1;
    const watches = watching(one.seed);
    if (watches.some((watch) => watch.broken(trace))) effective += 1;
    for (const bypass of bypasses(one.text, watches, trace)) {
      found += 1;
      report(bypass);
    }
  }
}

const seconds = (performance.now() - started) / 1_000;
console.log(
  `${executed} mutants executed of ${made} made, seed ${values.seed}, ${seconds.toFixed(0)} s: ${effective} did what they were made for, ${found} bypasses`,
);
process.exitCode = found === 0 ? 0 : 1;

interface Mutant {
  readonly text: string;
  readonly seed: Seed;
}

/** First every single mutation, then random combinations, each text once. */
function* batches(): Generator<readonly Mutant[]> {
  let batch: Mutant[] = [];
  for (const mutant of mutants()) {
    made += 1;
    if (values.suspects && openWatches(mutant.text, watching(mutant.seed)).length === 0) continue;
    batch.push(mutant);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function* mutants(): Generator<Mutant> {
  const seeds = [...SEEDS, ...FILE_SEEDS];
  for (const seed of seeds) for (const text of singles(seed, random)) if (isNew(text)) yield { text, seed };
  while (made < Number(values.mutants)) {
    const seed = random.pick(seeds);
    const text = mutate(seed, random);
    if (isNew(text)) yield { text, seed };
  }
}

function isNew(text: string): boolean {
  if (known.has(text) || made >= Number(values.mutants)) return false;
  known.add(text);
  return true;
}

function watching(seed: Seed): ReturnType<typeof watchesFor> {
  return seed.denies.length === 0 ? FILE_WATCHES : watchesFor(seed);
}

function report(bypass: Bypass): void {
  if (shown.size >= SHOWN) return;
  const { text, watch, trace } = minimise(bypass);
  const rules = watch.rules.map((rule) => `${rule.verdict} ${rule.text}`);
  const key = JSON.stringify([rules.slice(0, 3), text]);
  if (shown.has(key)) return;
  shown.add(key);
  console.log(
    `bypass: ${JSON.stringify(text)}\n    under ${rules.slice(0, 3).join(", ")}${rules.length > 3 ? ", …" : ""} (${watch.mode}) ran ${JSON.stringify(trace.ran)}${trace.leaked ? " leaked" : ""}${trace.written ? " written" : ""}`,
  );
  if (!values.keep) return;
  const one = finding({
    call: { name: "Bash", input: { command: text } },
    rules: watch.rules,
    mode: watch.mode,
    links: {},
    cwd: JAIL_CWD,
    why: `in the jail this ran ${JSON.stringify(trace.ran)}${trace.leaked ? ", printed the secret" : ""}${trace.written ? ", changed the guarded file" : ""}`,
    from: "oracle",
  });
  if (!readFileSync(FINDINGS, "utf8").includes(one.id)) appendFileSync(FINDINGS, `${JSON.stringify(one)}\n`);
}
