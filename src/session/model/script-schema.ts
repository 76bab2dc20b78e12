/** The shape of a model script, and where in the file it is violated. */
import * as v from "valibot";
import { entryOf, type DocNode, type Position } from "../../lib/document/node.ts";
import { isObject, type JsonObject } from "../../lib/json.ts";
import { nearest } from "../../lib/nearest.ts";

const tokens = v.pipe(v.number("is not a number of tokens"), v.integer("is not a whole number of tokens"), v.minValue(0, "is below zero"));
const text = v.string("is not text; put it in quotes");

const Turn = strict({
  text: optional(text),
  toolCalls: optional(
    v.array(strict({ name: text, input: optional(v.record(v.string(), v.unknown(), "is not an object")) }), "is not a list of {name, input}"),
  ),
  usage: optional(strict({ input: optional(tokens), output: optional(tokens) })),
  delayMs: optional(v.pipe(v.number("is not a number of milliseconds"), v.minValue(0, "is below zero"))),
  error: optional(text),
});
const turns = v.array(Turn, "is not a list with one entry for each model call");
const Agent = strict({ turns: v.nullish(turns, []), summary: optional(text) });
const ScriptFile = strict({
  contextWindow: optional(v.pipe(tokens, v.minValue(1, "is below one"))),
  turns: v.nullish(turns, []),
  summary: optional(text),
  agents: optional(v.record(v.string(), Agent, "is not an object of agent types")),
});

/** One answer of the model. */
export type ScriptTurn = v.InferOutput<typeof Turn>;
/** The answers that one agent gets. */
export type AgentScript = v.InferOutput<typeof Agent>;
/** A whole script. */
export type Script = v.InferOutput<typeof ScriptFile>;

type Checked = { readonly kind: "right"; readonly script: Script } | { readonly kind: "wrong"; readonly at: Position; readonly message: string };

/** Checks a script; the first thing wrong with it is told with its place in the document. */
export function checkScript(value: unknown, root: DocNode): Checked {
  const parsed = v.safeParse(ScriptFile, value, { abortEarly: true });
  if (parsed.success) return { kind: "right", script: parsed.output };
  const [issue] = parsed.issues;
  const path = issue.path?.map(({ key }) => key) ?? [];
  return { kind: "wrong", at: placeOf(root, path), message: `${pathText(path)} ${issue.message}` };
}

/** An object of ours: a key that is not known is a mistake. A key without a value, as YAML allows it, is absent. */
function strict<const E extends v.ObjectEntries>(
  entries: E,
): v.SchemaWithPipe<
  readonly [v.CustomSchema<JsonObject, v.ErrorMessage<v.CustomIssue> | undefined>, v.StrictObjectSchema<E, (issue: v.StrictObjectIssue) => string>]
> {
  const known = Object.keys(entries);
  const words = ({ expected, path }: v.StrictObjectIssue): string => {
    if (expected !== "never") return "is missing";
    const key = path?.at(-1)?.key;
    const meant = typeof key === "string" ? nearest(key, known) : undefined;
    return `is not known here${meant === undefined ? "" : `, did you mean "${meant}"`}; known are ${known.join(", ")}`;
  };
  return v.pipe(v.custom<JsonObject>(isObject, "is not an object"), v.strictObject(entries, words));
}

function optional<const S extends v.GenericSchema>(
  schema: S,
): v.SchemaWithPipe<readonly [v.NullishSchema<S, undefined>, v.TransformAction<unknown, v.InferOutput<S> | undefined>]> {
  return v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  );
}

/** The place of the deepest part of a path that exists. */
function placeOf(root: DocNode, path: readonly unknown[]): Position {
  let node = root;
  let at = root.at;
  for (const key of path) {
    const entry = typeof key === "string" ? entryOf(node, key) : undefined;
    const next = entry?.value ?? (node.kind === "list" && typeof key === "number" ? node.items[key] : undefined);
    if (!next) break;
    node = next;
    at = entry?.at ?? next.at;
  }
  return at;
}

/** `turns[0].toolCalls[1].name`. */
function pathText(path: readonly unknown[]): string {
  const parts = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return parts === "" ? "the script" : parts.replace(/^\./, "");
}
