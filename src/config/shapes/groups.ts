/** Matcher groups: of callback names (Mains) or of typed hooks (Robota, Claude Code). */
import { ENTRY_OPTIONS } from "../../dialects/dialect.ts";
import { entryOf, kindOf, type DocEntry, type DocNode } from "../../lib/document/node.ts";
import { readEntry } from "../entry.ts";
import type { FieldName } from "../fields.ts";
import { actionOf, typedFieldsOf } from "./action.ts";
import type { HookDraft, ShapeContext, ShapeReader } from "./shape.ts";
import { draft } from "./shape.ts";

/** Fields of a group of callback names. */
export const NAMED_GROUP_FIELDS: { readonly [key: string]: FieldName } = { matcher: "matcher", timeout: "timeout", onFault: "onFault" };
/** Fields of a group of typed hooks. */
export const TYPED_GROUP_FIELDS: { readonly [key: string]: FieldName } = { matcher: "matcher" };

/** `{"matcher": "Bash", "hooks": ["callback"], "timeout": 30}`. */
export const namedGroups: ShapeReader = {
  wants: 'a group {"matcher", "hooks": [callback names]}',
  fits: (entry) => holds(entry, (hook) => hook.kind === "scalar" && typeof hook.value === "string"),
  read: (entry, context) => {
    const group = readEntry(entry, { fields: { ...NAMED_GROUP_FIELDS, hooks: "name" }, unknown: "near", report: context.report });
    const matcher = group.get("matcher") ?? null;
    const timeout = group.get("timeout");
    const onFault = group.get("onFault") ?? null;
    return items(entry, context).flatMap((item) => {
      if (item.kind !== "scalar" || typeof item.value !== "string" || item.value === "") {
        context.report(item.at, { kind: "wrong-type", message: `a callback name is wanted here, not ${kindOf(item)}` });
        return [];
      }
      const action = { type: "callback", callback: item.value, module: context.callbackModule } as const;
      return [
        { ...draft(item.at, item.value, action), matcher, matcherAt: group.at("matcher"), onFault, timeoutMs: timeout === undefined ? null : timeout * 1_000 },
      ];
    });
  },
};

/** `{"matcher": "Bash", "hooks": [{"type": "command", "command": "…"}]}`. */
export const typedGroups: ShapeReader = {
  wants: 'a group {"matcher", "hooks": [{"type", …}]}',
  fits: (entry) => holds(entry, (hook) => hook.kind === "object"),
  read: (entry, context) => {
    const group = readEntry(entry, { fields: { ...TYPED_GROUP_FIELDS, hooks: "name" }, unknown: "near", report: context.report });
    const matcher = group.get("matcher") ?? null;
    return items(entry, context).flatMap((item) => readTyped(item, context).map((hook) => ({ ...hook, matcher, matcherAt: group.at("matcher") })));
  },
};

function readTyped(item: DocNode, context: ShapeContext): HookDraft[] {
  if (item.kind !== "object") {
    context.report(item.at, { kind: "wrong-type", message: `a hook {"type", …} is wanted here, not ${kindOf(item)}` });
    return [];
  }
  reportForeign(item, context);
  const fields = readEntry(item, { fields: typedFieldsOf(context.dialect), unknown: "near", report: context.report });
  const action = actionOf(item, fields, context);
  if (!action) return [];
  const timeout = fields.get("timeout");
  return [
    {
      ...draft(fields.at(action.at), fields.get("name") ?? action.name, action.action),
      condition: fields.get("if") ?? null,
      timeoutMs: timeout === undefined ? null : timeout * 1_000,
      onFault: fields.get("onFault") ?? null,
      once: fields.get("once") ?? false,
      async: fields.get("async") ?? false,
      enabled: fields.get("enabled") ?? true,
      env: fields.get("env") ?? {},
    },
  ];
}

/** An option of other dialects has no effect here, and must not seem to have one. */
function reportForeign(item: DocNode, { dialect, report }: ShapeContext): void {
  if (item.kind !== "object") return;
  for (const { key, at } of item.entries) {
    if (!ENTRY_OPTIONS.some((option) => option === key && !dialect.options.includes(option))) continue;
    report(at, { kind: "unknown-key", message: `${dialect.title} hooks have no "${key}"; it was ignored` });
  }
}

function hooksOf(entry: DocNode): DocEntry | undefined {
  return entryOf(entry, "hooks");
}

function holds(entry: DocNode, test: (hook: DocNode) => boolean): boolean {
  const hooks = hooksOf(entry);
  return hooks?.value.kind === "list" && hooks.value.items.some(test);
}

function items(entry: DocNode, { report, dialect }: ShapeContext): readonly DocNode[] {
  const hooks = hooksOf(entry);
  if (!hooks) report(entry.at, { kind: "missing-key", message: `a ${dialect.title} group needs "hooks", a list` });
  else if (hooks.value.kind !== "list") report(hooks.value.at, { kind: "wrong-type", message: `"hooks" of a group is ${kindOf(hooks.value)}, not a list` });
  return hooks?.value.kind === "list" ? hooks.value.items : [];
}
