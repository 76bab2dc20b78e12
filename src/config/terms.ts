/** Terms of a settings file: on which conditions the hooks under it run. */
import * as v from "valibot";
import { entryOf, kindOf, plainValue, type DocNode } from "../lib/document/node.ts";
import { compileUrlPattern, type UrlPattern } from "../lib/url-pattern.ts";
import type { Source } from "../model/source.ts";
import type { Report } from "./entry.ts";
import type { ConfigSource } from "./source.ts";

/** Every term: its schema, and what it does. */
export const TERMS = {
  allowedHttpHookUrls: {
    schema: v.array(v.string()),
    text: "Addresses that http hooks may be sent to, as https://hooks.example.com/*. Every list above a hook must let its address through; without any list all public addresses are open. A host that you spell out may be in your private network.",
  },
} as const satisfies Record<string, { readonly schema: v.GenericSchema; readonly text: string }>;

/** The addresses that a file lets http hooks be sent to. */
export interface UrlList {
  readonly patterns: readonly UrlPattern[];
  readonly source: Source;
}

/** The terms that a file sets. */
export interface Terms {
  readonly urls?: UrlList;
}

/** Reads the terms of a file. One that can't be read counts as the strictest. */
export function readTerms(root: DocNode, source: ConfigSource, report: Report): Terms {
  const urls = entryOf(root, "allowedHttpHookUrls")?.value;
  return { ...(urls && { urls: readUrls(urls, source, report) }) };
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
