/** What lies on the desk, as it is written and read. */
import * as v from "valibot";

const Agent = v.nullable(v.object({ id: v.string(), type: v.string() }));

const Card = v.object({
  id: v.string(),
  pid: v.number(),
  cwd: v.string(),
  model: v.string(),
  mode: v.string(),
  startedAt: v.string(),
  endedAt: v.nullable(v.string()),
});

const Question = v.object({
  id: v.string(),
  sessionId: v.string(),
  tool: v.string(),
  input: v.record(v.string(), v.unknown()),
  reason: v.string(),
  agent: Agent,
  askedAt: v.string(),
  expiresAt: v.nullable(v.string()),
});

const Answer = v.object({
  answer: v.picklist(["allow", "always", "deny", "none"]),
  by: v.string(),
  text: v.optional(v.string()),
  rule: v.optional(v.string()),
  at: v.string(),
});

const Line = v.object({ seq: v.number(), at: v.string(), line: v.looseObject({ type: v.string() }) });

/** One session: where it runs and whether it still does. */
export type SessionCard = Readonly<v.InferOutput<typeof Card>>;
/** One question that waits for somebody. */
export type DeskQuestion = Readonly<v.InferOutput<typeof Question>>;
/** How a question ended: who answered what, `none` where nobody did. */
export type DeskAnswer = Readonly<v.InferOutput<typeof Answer>>;
/** One thing that a session said, with its number. */
export type DeskLine = Readonly<v.InferOutput<typeof Line>>;

function reader<T>(schema: v.GenericSchema<unknown, T>): (value: unknown) => T | undefined {
  return (value) => {
    const parsed = v.safeParse(schema, value);
    return parsed.success ? parsed.output : undefined;
  };
}

/** A session's card; undefined for what is none. */
export const readCard = reader<SessionCard>(Card);
/** A question; undefined for what is none. */
export const readQuestion = reader<DeskQuestion>(Question);
/** An answer; undefined for what is none. */
export const readAnswer = reader<DeskAnswer>(Answer);
/** A line of a session; undefined for what is none. */
export const readLine = reader<DeskLine>(Line);
