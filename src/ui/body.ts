import type { Context } from "hono";
import * as v from "valibot";
import { parseJson } from "../lib/json.ts";

/** What a request may send. */
const LIMIT_BYTES = 4 * 1_048_576;

/** The body of a request, or what is wrong with it. */
export type Body<T> = { readonly kind: "good"; readonly value: T } | { readonly kind: "bad"; readonly message: string };

/** Reads a JSON body. Only JSON is read: a form of another page can't send it. */
export async function readBody<T>(context: Context, schema: v.GenericSchema<unknown, T>): Promise<Body<T>> {
  if (!/^application\/json\b/.test(context.req.header("content-type") ?? "")) return { kind: "bad", message: "the body must be application/json" };
  if (Number(context.req.header("content-length") ?? 0) > LIMIT_BYTES) return { kind: "bad", message: `the body is larger than ${LIMIT_BYTES} bytes` };
  const parsed = v.safeParse(schema, parseJson(await context.req.text()));
  if (parsed.success) return { kind: "good", value: parsed.output };
  const [issue] = parsed.issues;
  return { kind: "bad", message: `${v.getDotPath(issue) ?? "the body"} ${issue.message}` };
}
