import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import * as v from "valibot";
import { readConfigText, type ConfigFile } from "../../config/read.ts";
import { DIALECT_LIST, dialectById } from "../../dialects/index.ts";
import { buildRegistry } from "../../engine/registry.ts";
import { match } from "../../engine/match.ts";
import { hostPlatform } from "../../lib/host-platform.ts";
import { parseJson } from "../../lib/json.ts";
import { MODES, type Mode } from "../../model/rule.ts";
import type { ToolCall } from "../../model/tools.ts";
import { matchCondition } from "../../permissions/condition.ts";
import { evaluate } from "../../permissions/evaluate.ts";
import type { Judgement } from "../../permissions/judgement.ts";
import { diskFiles } from "../../permissions/file-view-disk.ts";
import { compilePolicy } from "../../permissions/rules.ts";
import type { Scene } from "../../permissions/scene.ts";
import { readBody } from "../body.ts";
import type { UiContext } from "../context.ts";
import { recordedCalls } from "../recorded.ts";

const Trial = v.object({
  /** A settings file as it would be written. */
  settings: v.pipe(v.string(), v.maxLength(1_000_000)),
  /** Its name, for its format and its dialect. */
  file: v.optional(v.pipe(v.string(), v.maxLength(300)), "settings.json"),
  dialect: v.optional(v.string()),
  tool: v.pipe(v.string(), v.maxLength(300)),
  input: v.record(v.string(), v.unknown()),
  mode: v.optional(v.picklist(MODES)),
});

const Comparison = v.object({
  left: v.pipe(v.string(), v.maxLength(1_000_000)),
  right: v.pipe(v.string(), v.maxLength(1_000_000)),
  dialect: v.optional(v.string()),
});

/** What a settings file would say to a call: nothing of it is stored, no hook is run. */
export function playgroundRoutes(ui: UiContext): Hono {
  const { cwd, env, schemas } = ui;
  const routes = new Hono();
  const home = env["HOME"] ?? homedir();

  routes.get("/dialects", (context) => context.json({ dialects: DIALECT_LIST.map(({ id }) => id) }));

  routes.get("/schemas/:dialect", async (context) => {
    const dialect = dialectById(context.req.param("dialect"));
    if (!dialect) return context.json({ error: "there is no such dialect" }, 404);
    return context.json(parseJson(await readFile(join(schemas, `${dialect.id}.schema.json`), "utf8")) ?? {});
  });

  /** What another policy would have said to the calls on record. */
  routes.post("/compare", async (context) => {
    const given = await readBody(context, Comparison);
    if (given.kind === "bad") return context.json({ error: given.message }, 400);
    const { left, right, dialect } = given.value;
    const [old, next] = await Promise.all([readPolicy(left, "old.json", dialect), readPolicy(right, "new.json", dialect)]);
    const judge = ({ rules, mode }: ConfigFile): ((call: ToolCall) => Judgement) => {
      const policy = compilePolicy(rules);
      const scene = sceneOf(mode ?? "default", { cwd, home });
      return (call) => evaluate(call, policy, scene);
    };
    const [before, after] = [judge(old), judge(next)];
    const calls = await recordedCalls(ui);
    const judged = calls.map((call) => ({ call, was: before(call), is: after(call) })).filter(({ was, is }) => was.verdict !== is.verdict);
    return context.json({
      calls: calls.length,
      changed: judged.map(({ call, was, is }) => ({ call, before: was.verdict, after: is.verdict, because: is.because })),
    });
  });

  routes.post("/playground", async (context) => {
    const given = await readBody(context, Trial);
    if (given.kind === "bad") return context.json({ error: given.message }, 400);
    const { settings, file, dialect, tool, input, mode } = given.value;
    const read = await readPolicy(settings, file, dialect);
    const scene = sceneOf(mode ?? read.mode ?? "default", { cwd, home });
    const call: ToolCall = { name: tool, input };
    const judgement = evaluate(call, compilePolicy(read.rules), scene);
    const event = { name: "tool.before", tool: call } as const;
    const hooks = match(buildRegistry(read.hooks), event, (condition) => matchCondition(condition, call, scene) !== "no");
    return context.json({
      judgement,
      hooks: hooks.map(({ name, dialect: speaks, wireName, source }) => ({ name, dialect: speaks, wireName, source })),
      notices: read.notices,
      broken: read.broken,
    });
  });

  return routes;
}

/** Reads settings that stand in no file. */
export async function readPolicy(text: string, file: string, dialect: string | undefined): Promise<ConfigFile> {
  const spoken = dialect === undefined ? undefined : dialectById(dialect);
  return readConfigText(
    { path: file, layer: "user", dialects: spoken ? [spoken] : dialect === undefined ? [] : DIALECT_LIST, plugin: null, named: true },
    text,
  );
}

/** The scene of a call in a folder. */
export function sceneOf(mode: Mode, { cwd, home }: { readonly cwd: string; readonly home: string }): Scene {
  return { mode, cwd, root: cwd, home, platform: hostPlatform(), files: diskFiles() };
}
