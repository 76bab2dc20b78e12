import { Readable } from "node:stream";
import { Hono, type Context } from "hono";
import * as v from "valibot";
import { testOf, type AuditFilter } from "../../audit/filter.ts";
import { FORMATS } from "../../audit/formats.ts";
import { readLog } from "../../audit/read.ts";
import { lookup } from "../../lib/json.ts";
import { SnaphookError } from "../../model/errors.ts";
import { VERDICTS } from "../../model/verdict.ts";
import type { UiContext } from "../context.ts";

const Time = v.optional(v.pipe(v.string(), v.transform(Date.parse), v.number("is no time")));
const Text = v.optional(v.pipe(v.string(), v.maxLength(1_000)));
const Count = (most: number) => v.pipe(v.string(), v.regex(/^\d{1,9}$/, "is no number"), v.transform(Number), v.maxValue(most));

const Question = v.object({
  since: Time,
  until: Time,
  session: Text,
  tool: Text,
  verdict: v.optional(v.picklist([...VERDICTS, "none"])),
  event: Text,
  hook: Text,
  text: Text,
  limit: v.optional(Count(1_000), "200"),
  skip: v.optional(Count(100_000_000), "0"),
});

/** The audit log: records that a question finds, their numbers, and all of them as a file. */
export function auditRoutes({ auditDir, audit }: UiContext): Hono {
  const routes = new Hono();

  routes.get("/audit", async (context) => {
    const question = readQuestion(context);
    if (!audit) return context.json({ folder: null, records: [], total: 0, indexed: false });
    return context.json({ folder: auditDir, ...(await audit.query(question)) });
  });

  /** How much of the log is indexed, for those who wait. */
  routes.get("/audit/progress", (context) => context.json({ share: audit?.progress ?? null }));

  routes.get("/audit/stats", async (context) => {
    const { filter } = readQuestion(context);
    return context.json((await audit?.numbers({ filter })) ?? { stats: null, series: null });
  });

  routes.get("/audit/records/:id", async (context) => {
    const record = await audit?.record({ id: context.req.param("id") });
    return record ? context.json({ record }) : context.json({ error: "there is no such record" }, 404);
  });

  routes.get("/audit/export", (context) => {
    const { filter } = readQuestion(context);
    const name = context.req.query("format") ?? "jsonl";
    const format = lookup(FORMATS, name);
    if (!format) return context.json({ error: `format is not one of ${Object.keys(FORMATS).join(", ")}` }, 400);
    const lines = auditDir === null ? [format.head] : linesOf(auditDir, filter, format);
    return context.body(Readable.toWeb(Readable.from(lines)), 200, {
      "content-type": format.mediaType,
      "content-disposition": `attachment; filename="snaphook-audit.${name}"`,
    });
  });

  return routes;
}

/** Records that are read before others are served again. */
const READ_AT_ONCE = 200;

async function* linesOf(folder: string, filter: AuditFilter, { head, line }: NonNullable<(typeof FORMATS)[string]>): AsyncGenerator<string> {
  const test = testOf(filter);
  if (head !== "") yield head;
  let read = 0;
  for (const { record } of readLog(folder)) {
    if (test(record)) yield line(record);
    if ((read += 1) % READ_AT_ONCE === 0) await new Promise((resolve) => void setImmediate(resolve));
  }
}

function readQuestion(context: Context): { readonly filter: AuditFilter; readonly limit: number; readonly skip: number } {
  const given = Object.fromEntries(Object.entries(context.req.query()).filter(([, value]) => value !== ""));
  const parsed = v.safeParse(Question, given);
  if (!parsed.success) throw new SnaphookError("SNAP_USAGE", { message: `${v.getDotPath(parsed.issues[0]) ?? "it"} ${parsed.issues[0].message}` });
  const { since, until, limit, skip, session, tool, verdict, event, hook, text } = parsed.output;
  return {
    limit,
    skip,
    filter: {
      ...(since !== undefined && { sinceMs: since }),
      ...(until !== undefined && { untilMs: until }),
      ...(session !== undefined && { session }),
      ...(tool !== undefined && { tool }),
      ...(verdict !== undefined && { verdict }),
      ...(event !== undefined && { event }),
      ...(hook !== undefined && { hook }),
      ...(text !== undefined && { text }),
    },
  };
}
