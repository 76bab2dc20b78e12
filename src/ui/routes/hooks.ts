import { Hono } from "hono";
import * as v from "valibot";
import { openRecorder } from "../../audit/recorder.ts";
import { secretValues } from "../../audit/redact.ts";
import { createEngine, engineOf, prepareEngine, type Engine } from "../../engine/engine.ts";
import { inventory } from "../../lint/inventory.ts";
import { withOutputs } from "../../desk/hook-output.ts";
import { canonicalCall } from "../../dialects/spelling.ts";
import { decisionJson } from "../../model/decision-json.ts";
import { EVENTS, type EventName, type HookEvent } from "../../model/events.ts";
import { policyText } from "../../model/failure.ts";
import { triedOutBy } from "../../model/recorder.ts";
import type { ToolCall } from "../../model/tools.ts";
import { evaluate } from "../../permissions/evaluate.ts";
import { compilePolicy, exactRule, parseRule } from "../../permissions/rules.ts";
import { readEvent } from "../../engine/event-input.ts";
import { readBody } from "../body.ts";
import type { UiContext } from "../context.ts";
import { recordedCalls } from "../recorded.ts";
import { widerRules } from "../wider-rules.ts";
import { sceneOf } from "./playground.ts";

const Preview = v.object({ rule: v.pipe(v.string(), v.maxLength(10_000)) });
const Trial = v.object({ event: v.string(), input: v.record(v.string(), v.unknown()) });

/** What is armed here, why a question is asked, and what a rule would allow. */
export function hookRoutes(ui: UiContext): Hono {
  const { live, cwd, env, auditDir } = ui;
  const routes = new Hono();
  const home = env["HOME"] ?? "";

  routes.get("/hooks", async (context) => {
    const engine = await createEngine({ cwd: context.req.query("cwd") ?? cwd, env });
    const rows = inventory(
      engine.configuration,
      engine.registry.hooks.filter((hook) => hook.source === null),
    );
    await engine.close();
    return context.json({
      hooks: rows.map(({ hook, state, wireName, layer, source, reason }, index) => ({
        index,
        state,
        wireName,
        layer,
        source,
        reason,
        name: hook?.name ?? null,
        dialect: hook?.dialect ?? null,
        type: hook?.action.type ?? null,
        events: hook?.events ?? [],
        timeoutMs: hook?.timeoutMs ?? null,
        onFault: hook ? policyText(hook.onFault) : null,
      })),
      notices: engine.configuration.notices,
      rules: engine.configuration.rules,
    });
  });

  /** Fires an event through the hooks that are armed: those that are not trusted stay off. On record where everything has to be. */
  routes.post("/hooks/test", async (context) => {
    const given = await readBody(context, Trial);
    if (given.kind === "bad") return context.json({ error: given.message }, 400);
    const name = Object.keys(EVENTS).find((each): each is EventName => each === given.value.event);
    if (name === undefined) return context.json({ error: `unknown event ${JSON.stringify(given.value.event)}` }, 400);
    const prepared = await prepareEngine({ cwd, env });
    const log = prepared.configuration.authority.auditRequired && auditDir !== null ? openRecorder({ folder: auditDir, secrets: secretValues(env) }) : null;
    const engine = engineOf(prepared, { cwd, env, ...(log && { recorder: triedOutBy("page", log) }) });
    try {
      return context.json({ decision: withOutputs(decisionJson(await engine.fire(readEvent(name, given.value.input)))) });
    } finally {
      await engine.close();
      log?.close();
    }
  });

  routes.get("/questions/:id/explanation", async (context) => {
    const found = live.sessions().flatMap((session) => live.questions(session.id).map((asked) => ({ session, asked })));
    const one = found.find(({ asked }) => asked.question.id === context.req.param("id"));
    if (!one) return context.json({ error: "there is no such question" }, 404);
    const { tool, input } = one.asked.question;
    const engine = await createEngine({ cwd: one.session.cwd, env });
    const call = canonicalCall({ name: tool, input });
    const judgement = judge(engine, { name: "tool.before", cwd: one.session.cwd, permissionMode: one.session.mode, tool: call });
    await engine.close();
    const exact = exactRule(call);
    return context.json({ judgement, rules: [...(exact === undefined ? [] : [exact]), ...widerRules(call)] });
  });

  /** Which recorded calls a rule would allow, beside the one it is made for. */
  routes.post("/rules/preview", async (context) => {
    const given = await readBody(context, Preview);
    if (given.kind === "bad") return context.json({ error: given.message }, 400);
    const parsed = parseRule(given.value.rule);
    if (parsed.kind === "problem") return context.json({ problem: parsed.message, allows: [], others: 0 });
    const policy = compilePolicy([{ verdict: "allow", text: given.value.rule }]);
    const calls = await recordedCalls(ui);
    const allows = calls.filter((call: ToolCall) => evaluate(call, policy, sceneOf("default", { cwd, home })).step === "allow-rule");
    return context.json({ problem: null, allows: allows.slice(0, PREVIEW_LIMIT), others: calls.length - allows.length });
  });

  return routes;
}

const PREVIEW_LIMIT = 50;

function judge({ gate, configuration }: Engine, event: HookEvent & { readonly tool: ToolCall }): object {
  const known = gate?.judge(event);
  if (known) return known;
  const at = event.cwd ?? "";
  return evaluate(event.tool, compilePolicy(configuration.rules), sceneOf("default", { cwd: at, home: at }));
}
