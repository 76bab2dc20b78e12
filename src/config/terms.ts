/** Terms of a settings file: on which conditions the hooks under it run. */
import * as v from "valibot";
import { entryOf, kindOf, plainValue, type DocNode } from "../lib/document/node.ts";
import { SANDBOX_LEVELS, type SandboxLevel } from "../lib/sandbox-level.ts";
import { compileUrlPattern, type UrlPattern } from "../lib/url-pattern.ts";
import type { Source } from "../model/source.ts";
import type { Report } from "./entry.ts";
import { durationMs, SCHEMAS } from "./fields.ts";
import type { ConfigSource } from "./source.ts";

/** Every term: its schema, and what it does. */
export const TERMS = {
  allowedHttpHookUrls: {
    schema: v.array(v.string()),
    files: "any",
    text: "Addresses that http hooks may be sent to, as https://hooks.example.com/*. Every list above a hook must let its address through; without any list all public addresses are open. A host that you spell out may be in your private network.",
  },
  sandbox: {
    schema: v.picklist(SANDBOX_LEVELS),
    files: "own",
    text: "The sandbox of hooks that start a program: the default of this layer's own hooks, and the least for hooks of layers below it.",
  },
  eventTimeout: {
    schema: SCHEMAS.duration,
    files: "own",
    text: "How long all hooks of one event may take together, as 30s. Then those that run are killed, those that wait are not started, and each counts as failed (eventTimeout). Managed settings decide, else your own; a project's has no effect. A call whose hook of another agent's dialect was cut short is at least asked, though that dialect goes on when a hook overruns its own time.",
  },
  audit: {
    schema: v.picklist(["required"]),
    files: "own",
    text: "required: what can't be taken down in the audit log is denied. Counts in managed settings only.",
  },
} as const satisfies Record<string, { readonly schema: v.GenericSchema; readonly files: "any" | "own"; readonly text: string }>;

/** Root keys that count in Snaphook's own files only: elsewhere other programs may use the same words. */
export const OWN_TERMS: readonly string[] = Object.entries(TERMS).flatMap(([name, { files }]) => (files === "own" ? [name] : []));

/** The addresses that a file lets http hooks be sent to. */
export interface UrlList {
  readonly patterns: readonly UrlPattern[];
  readonly source: Source;
}

/** The terms that a file sets. */
export interface Terms {
  readonly urls?: UrlList;
  readonly sandbox?: { readonly level: SandboxLevel; readonly source: Source };
  readonly eventTimeout?: { readonly ms: number; readonly source: Source };
  /** Where it is said that every decision must be on record. */
  readonly auditRequired?: Source;
}

/** Reads the terms of a file. One that can't be read counts as the strictest. */
export function readTerms(root: DocNode, source: ConfigSource, report: Report): Terms {
  const urls = entryOf(root, "allowedHttpHookUrls")?.value;
  const sandbox = entryOf(root, "sandbox")?.value;
  const eventTimeout = entryOf(root, "eventTimeout")?.value;
  const audit = entryOf(root, "audit")?.value;
  return {
    ...(urls && { urls: readUrls(urls, source, report) }),
    ...(sandbox && readSandbox(sandbox, source, report)),
    ...(eventTimeout && readEventTimeout(eventTimeout, source, report)),
    ...(audit && readAudit(audit, source, report)),
  };
}

function readUrls(node: DocNode, { path }: ConfigSource, report: Report): UrlList {
  if (node.kind !== "list")
    report(node.at, { kind: "wrong-type", message: `allowedHttpHookUrls is ${kindOf(node)}, not a list of patterns; no address is allowed` });
  const patterns = (node.kind === "list" ? node.items : []).flatMap((item) => {
    const text = plainValue(item);
    const pattern = typeof text === "string" ? compileUrlPattern(text) : undefined;
    if (!pattern)
      report(item.at, { kind: "wrong-type", message: `${JSON.stringify(text)} is no pattern of addresses; write it as https://hooks.example.com/*` });
    return pattern ?? [];
  });
  return { patterns, source: { file: path, ...node.at } };
}

/** In other programs' files the word may mean something of theirs. */
function readSandbox(node: DocNode, source: ConfigSource, report: Report): Pick<Terms, "sandbox"> {
  const value = plainValue(node);
  const known = v.is(TERMS.sandbox.schema, value);
  if (!isOwn(source)) {
    if (known) report(node.at, elsewhere("sandbox"));
    return {};
  }
  if (!known) report(node.at, { kind: "wrong-type", message: `sandbox is not one of ${SANDBOX_LEVELS.join(", ")}; it counts as strict` });
  return { sandbox: { level: known ? value : "strict", source: { file: source.path, ...node.at } } };
}

function readEventTimeout(node: DocNode, source: ConfigSource, report: Report): Pick<Terms, "eventTimeout"> {
  if (!isOwn(source)) {
    report(node.at, elsewhere("eventTimeout"));
    return {};
  }
  const parsed = v.safeParse(TERMS.eventTimeout.schema, plainValue(node));
  if (parsed.success && durationMs(parsed.output) > 0) return { eventTimeout: { ms: durationMs(parsed.output), source: { file: source.path, ...node.at } } };
  const why = parsed.success ? "is not above 0" : parsed.issues[0].message;
  report(node.at, { kind: "bad-duration", message: `eventTimeout ${why}; events have no limit of their own` });
  return {};
}

function elsewhere(name: keyof typeof TERMS): Parameters<Report>[1] {
  return { kind: "unsupported-option", message: `${name} counts in Snaphook's own files only, as .snaphook/settings.json; here it has no effect` };
}

function readAudit(node: DocNode, source: ConfigSource, report: Report): Pick<Terms, "auditRequired"> {
  if (!isOwn(source)) return {};
  if (!v.is(TERMS.audit.schema, plainValue(node)))
    report(node.at, { kind: "wrong-type", message: 'audit is not "required"; it counts as if it were, or remove it' });
  if (source.layer === "managed") return { auditRequired: { file: source.path, ...node.at } };
  report(node.at, { kind: "authority", message: "audit counts only in managed settings; here it has no effect. SNAPHOOK_AUDIT=required asks for the same" });
  return {};
}

/** Whether a file is Snaphook's own, not shared with other programs. */
export function isOwn({ dialects }: Pick<ConfigSource, "dialects">): boolean {
  return dialects.every((dialect) => dialect.config.shape === "native");
}
