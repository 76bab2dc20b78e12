/** `eventTimeout` in our own settings: how long all hooks of one event may take together. */
import * as v from "valibot";
import { entryOf, plainValue, type DocNode } from "../lib/document/node.ts";
import type { Notice } from "../model/notice.ts";
import { isGuest } from "./authority.ts";
import type { Report } from "./entry.ts";
import { durationMs, SCHEMAS } from "./fields.ts";
import type { ConfigFile } from "./read.ts";
import type { ConfigSource } from "./source.ts";

/** Its key at the root of a file. */
export const EVENT_TIMEOUT = "eventTimeout";

/** What a file says, in milliseconds. Files that are shared with other agents have no such key. */
export function readEventTimeout(root: DocNode, { dialects }: ConfigSource, report: Report): number | null {
  const node = entryOf(root, EVENT_TIMEOUT)?.value;
  if (!node || (node.kind === "scalar" && node.value === null)) return null;
  if (!dialects.every((dialect) => dialect.config.shape === "native")) {
    report(node.at, { kind: "unknown-key", message: `${EVENT_TIMEOUT} stands in Snaphook's own settings; here it has no effect` });
    return null;
  }
  const parsed = v.safeParse(SCHEMAS.duration, plainValue(node));
  if (parsed.success && durationMs(parsed.output) > 0) return durationMs(parsed.output);
  const why = parsed.success ? "is not above 0" : parsed.issues[0].message;
  report(node.at, { kind: "bad-duration", message: `${EVENT_TIMEOUT} ${why}; events have no limit of their own` });
  return null;
}

/** Managed settings say, else the last of the owner's. A repository may not: a short time would cut guards short that are not its own. */
export function combinedEventTimeout(files: readonly ConfigFile[], notices: Notice[]): number | null {
  const saying = files.filter(({ eventTimeoutMs }) => eventTimeoutMs !== null);
  const owners = saying.filter((file) => !isGuest(file));
  const chosen = owners.find(({ source }) => source.layer === "managed") ?? owners.at(-1);
  for (const file of saying.filter((each) => each !== chosen)) {
    const why = isGuest(file) ? "a project does not say how long your hooks may take" : `that of ${chosen?.source.path} holds`;
    notices.push({ kind: "authority", message: `${EVENT_TIMEOUT} of ${file.source.path} was left out: ${why}`, file: file.source.path, line: 1, column: 1 });
  }
  return chosen?.eventTimeoutMs ?? null;
}
