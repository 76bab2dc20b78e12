import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import * as v from "valibot";
import { answerQuestion } from "../../desk/mouth.ts";
import { readPiece, readTailPiece } from "../../desk/lines.ts";
import type { AskedQuestion } from "../../desk/watch.ts";
import { parseRule } from "../../permissions/rules.ts";
import type { Live, Numbered } from "../live.ts";
import type { UiContext } from "../context.ts";
import { readBody } from "../body.ts";

/** A heartbeat keeps proxies and sleeping laptops honest. */
const HEARTBEAT_MS = 15_000;

/** Answered questions that a page begins with. */
const ANSWERED_SHOWN = 20;

/** What a page reads of a session before it shows something: a few screens. */
const FIRST_LOOK_BYTES = 65_536;

const Answer = v.object({
  answer: v.picklist(["allow", "always", "deny"], "is not allow, always or deny"),
  rule: v.optional(v.string()),
  text: v.optional(v.pipe(v.string(), v.maxLength(10_000))),
});

/** Sessions, their lines, their questions, and what happens from now on. */
export function liveRoutes({ desk, live, version, cwd }: UiContext): Hono {
  const routes = new Hono();

  routes.get("/state", (context) => {
    const { seq, life } = live;
    const sessions = live.sessions();
    const asked = sessions.flatMap((session) => live.questions(session.id).map((one) => ({ ...one, session })));
    const open = asked.filter(({ answer, session }) => answer === null && session.state === "running");
    const answered = asked.filter(({ answer }) => answer !== null).toSorted((left, right) => left.question.askedAt.localeCompare(right.question.askedAt));
    return context.json({
      version,
      cwd,
      seq,
      life,
      sessions,
      questions: open.map(({ question }) => question),
      answered: answered.slice(-ANSWERED_SHOWN).map(({ question, answer }) => ({ question, answer })),
    });
  });

  /** From a place in the file on; else the last ones, and all of those behind a number. As they stand in the file: the page reads them in its own time. */
  routes.get("/sessions/:id/lines", (context) => {
    const { from, after } = context.req.query();
    const id = context.req.param("id");
    const { bytes, start, next } =
      from === undefined ? readTailPiece(desk, id, { after: Number(after ?? 0), firstBytes: FIRST_LOOK_BYTES }) : readPiece(desk, id, Number(from));
    return context.body(new Uint8Array(bytes), 200, { "content-type": "application/x-ndjson", "x-start": String(start), "x-next": String(next) });
  });

  routes.get("/stream", (context) => {
    const after = Number(context.req.query("after") ?? live.seq);
    const life = context.req.query("life") ?? live.life;
    return streamSSE(context, async (stream) => {
      const missed = live.since(after, life);
      await stream.writeSSE({ event: missed ? "hello" : "reset", data: JSON.stringify({ seq: live.seq, life: live.life }) });
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
    const found = findQuestion(live, context.req.param("id"));
    if (!found) return context.json({ error: "there is no such question" }, 404);
    const at = new Date().toISOString();
    const won = answerQuestion(found.file, { answer, by: "page", at, ...(rule !== undefined && { rule }), ...(text !== undefined && text !== "" && { text }) });
    if (won) return context.json({ answered: true });
    return context.json({ answered: false, answer: findQuestion(live, context.req.param("id"))?.answer ?? null }, 409);
  });

  return routes;
}

function findQuestion(live: Live, id: string): AskedQuestion | undefined {
  for (const session of live.sessions()) {
    const found = live.questions(session.id).find(({ question }) => question.id === id);
    if (found) return found;
  }
  return undefined;
}

function ruleProblem(text: string): string | undefined {
  const parsed = parseRule(text);
  return parsed.kind === "problem" ? parsed.message : undefined;
}
