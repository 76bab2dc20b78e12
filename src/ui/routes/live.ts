import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import * as v from "valibot";
import { answerQuestion } from "../../desk/mouth.ts";
import { deskQuestions, deskSessions, readLines, type AskedQuestion } from "../../desk/watch.ts";
import type { DeskLine } from "../../desk/records.ts";
import { parseRule } from "../../permissions/rules.ts";
import type { Numbered } from "../live.ts";
import type { UiContext } from "../context.ts";
import { readBody } from "../body.ts";

/** A heartbeat keeps proxies and sleeping laptops honest. */
const HEARTBEAT_MS = 15_000;

const Answer = v.object({
  answer: v.picklist(["allow", "always", "deny"], "is not allow, always or deny"),
  rule: v.optional(v.string()),
  text: v.optional(v.pipe(v.string(), v.maxLength(10_000))),
});

/** Sessions, their lines, their questions, and what happens from now on. */
export function liveRoutes({ desk, live, version, cwd }: UiContext): Hono {
  const routes = new Hono();

  routes.get("/state", (context) => {
    const sessions = deskSessions(desk);
    const questions = sessions.filter(({ state }) => state === "running").flatMap(({ id }) => deskQuestions(desk, id));
    return context.json({
      version,
      cwd,
      seq: live.seq,
      sessions,
      questions: questions.filter(({ answer }) => answer === null).map(({ question }) => question),
    });
  });

  routes.get("/sessions/:id/lines", (context) => {
    const lines: DeskLine[] = [];
    for (let from = 0; ;) {
      const part = readLines(desk, context.req.param("id"), from);
      lines.push(...part.lines);
      if (part.next === from) break;
      from = part.next;
    }
    const after = Number(context.req.query("after") ?? 0);
    return context.json({ lines: lines.filter(({ seq }) => seq > after) });
  });

  routes.get("/stream", (context) => {
    const after = Number(context.req.query("after") ?? live.seq);
    return streamSSE(context, async (stream) => {
      const missed = live.since(after);
      await stream.writeSSE({ event: missed ? "hello" : "reset", data: JSON.stringify({ seq: live.seq }) });
      const send = async (items: readonly Numbered[]): Promise<void> => {
        for (const { seq, item } of items) await stream.writeSSE({ id: String(seq), event: item.kind, data: JSON.stringify(item) });
      };
      let sending = send(missed ?? []);
      const stop = live.listen((items) => void (sending = sending.then(async () => send(items))));
      const beat = setInterval(() => void stream.writeSSE({ event: "beat", data: "" }), HEARTBEAT_MS);
      await new Promise<void>((resolve) => stream.onAbort(resolve));
      clearInterval(beat);
      stop();
    });
  });

  routes.post("/questions/:id", async (context) => {
    const given = await readBody(context, Answer);
    if (given.kind === "bad") return context.json({ error: given.message }, 400);
    const { answer, rule, text } = given.value;
    const problem = rule === undefined ? undefined : ruleProblem(rule);
    if (problem !== undefined) return context.json({ error: problem }, 400);
    const found = findQuestion(desk, context.req.param("id"));
    if (!found) return context.json({ error: "there is no such question" }, 404);
    const at = new Date().toISOString();
    const won = answerQuestion(found.file, { answer, by: "page", at, ...(rule !== undefined && { rule }), ...(text !== undefined && text !== "" && { text }) });
    if (won) return context.json({ answered: true });
    return context.json({ answered: false, answer: findQuestion(desk, context.req.param("id"))?.answer ?? null }, 409);
  });

  return routes;
}

function findQuestion(desk: string, id: string): AskedQuestion | undefined {
  for (const session of deskSessions(desk)) {
    const found = deskQuestions(desk, session.id).find(({ question }) => question.id === id);
    if (found) return found;
  }
  return undefined;
}

function ruleProblem(text: string): string | undefined {
  const parsed = parseRule(text);
  return parsed.kind === "problem" ? parsed.message : undefined;
}
