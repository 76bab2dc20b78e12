/** A worker that runs already is asked on a shorter way than one that must be started: nothing else differs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEngine, type Engine, type EngineOptions } from "../../src/engine/engine.ts";
import type { Decision } from "../../src/model/decision.ts";
import { callOf } from "../support/events.ts";
import { until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

/** Answers with what the call's command says, printed as it stands; `$ID` is the event's id. */
const SAYS = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, tool } = JSON.parse(line);
  for (const each of JSON.parse(tool.input.command)) process.stdout.write(each.replace("$ID", id) + "\\n");
});`;

async function engineWith(script: string, hook: object = {}, { cwd = tempFolder(), ...options }: Partial<EngineOptions> = {}): Promise<Engine> {
  const settings = { hooks: { "tool.before": [{ command: `'${process.execPath}' worker.cjs`, worker: true, name: "warm", ...hook }] } };
  writeFiles(cwd, { "worker.cjs": script, "settings.json": JSON.stringify(settings) });
  const env = { HOME: cwd, TMPDIR: cwd, PATH: process.env["PATH"] };
  return createEngine({ cwd, env, configs: [{ file: join(cwd, "settings.json"), dialect: "snaphook" }], ...options });
}

const timeless = ({ hooks, ...decision }: Decision): object => ({ ...decision, hooks: hooks.map((hook) => ({ ...hook, durationMs: 0 })) });

test("comes to the same decision, whatever the worker prints", async () => {
  // An event that has less time than its hook gives it a limit of its own each time, for which no worker is known: that is the longer way.
  const cwd = tempFolder();
  const [short, long] = [await engineWith(SAYS, { timeout: "2h" }, { cwd }), await engineWith(SAYS, { timeout: "2h" }, { cwd, eventTimeoutMs: 3_600_000 })];
  const line = fc.constantFrom(
    '{"id":$ID}',
    '{"id": $ID}',
    '{"id":$ID,"verdict":"deny"}',
    '{"id":$ID,"verdict":"allow","reason":"because"}',
    '{"id":$ID,"context":"c","input":{"command":"ls"}}',
    '{"id":$ID,"verdict":"maybe"}',
    '{"id":$ID,"colour":"red"}',
    '{"id":$ID,"error":"no"}',
    "{}",
    "text",
    'text {"id":$ID,"verdict":"ask"}',
  );
  const noise = fc.array(fc.constantFrom("{}", "text", '{"id":0}'), { maxLength: 2 });
  const fires = async (engine: Engine, lines: readonly string[]): Promise<object> => timeless(await engine.fire(callOf(JSON.stringify(lines))));
  await fires(short, ['{"id":$ID}']);
  await fires(long, ['{"id":$ID}']);
  await fc.assert(
    fc.asyncProperty(noise, line, async (before, said) => {
      const lines = [...before, said, '{"id":$ID}'].slice(0, said.includes("$ID") ? before.length + 1 : undefined);
      expect(await fires(short, lines)).toEqual(await fires(long, lines));
    }),
  );
  await Promise.all([short.close(), long.close()]);
});

/** Notes each line that it reads, and answers the first event only. */
const ONCE = `
let first = true;
process.stdout.write('{"hello":1,"cancel":true}\\n');
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  require("node:fs").appendFileSync("seen", line + "\\n");
  if (first) process.stdout.write(JSON.stringify({ id: JSON.parse(line).id }) + "\\n");
  first = false;
});`;

const linesSeen = (engine: Engine): readonly string[] => readFileSync(join(engine.trust.where.root, "seen"), "utf8").trimEnd().split("\n");

test("a caller that cancels is heard, and so is the worker told", async () => {
  const engine = await engineWith(ONCE);
  await engine.fire(callOf("one"));
  const controller = new AbortController();
  const fired = engine.fire(callOf("two"), { signal: controller.signal });
  await until(() => linesSeen(engine).length === 2);
  controller.abort(new Error("enough"));
  await expect(fired).rejects.toThrow("enough");
  await until(() => linesSeen(engine).at(-1) === '{"cancel":2}');
  await engine.close();
});

test("closing the engine ends an event that waits for a worker", async () => {
  const engine = await engineWith(ONCE);
  await engine.fire(callOf("one"));
  const fired = engine.fire(callOf("two"));
  await until(() => linesSeen(engine).length === 2);
  const ended = expect(fired).rejects.toThrow("aborted");
  await engine.close();
  await ended;
});

test("an answer that overruns its time ends the worker, and the next event starts another", async () => {
  const engine = await engineWith(ONCE, { timeout: "1s", onFault: "deny" });
  const verdicts: unknown[] = [];
  for (const command of ["one", "two", "three"]) verdicts.push((await engine.fire(callOf(command))).verdict);
  expect(verdicts).toEqual([null, "deny", null]);
  await engine.close();
});
