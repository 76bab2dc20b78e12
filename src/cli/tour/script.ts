/** The table of the tour: which files are armed, and which events are fired. */
import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { readEvent } from "../../engine/event-input.ts";
import { plainValue } from "../../lib/document/node.ts";
import { parseDocument } from "../../lib/document/parse.ts";
import { SnaphookError } from "../../model/errors.ts";
import { EVENTS, type EventName, type HookEvent } from "../../model/events.ts";

/** One event of the tour. */
export interface Scene {
  /** One line that says what to look at. */
  readonly tell: string;
  readonly event: HookEvent;
}

/** The whole tour. */
export interface Script {
  readonly configs: readonly string[];
  readonly scenes: readonly Scene[];
}

const EVENT_NAMES = Object.keys(EVENTS).filter((name): name is EventName => Object.hasOwn(EVENTS, name));

const ScriptFile = v.strictObject({
  configs: v.array(v.string()),
  scenes: v.array(v.strictObject({ tell: v.string(), event: v.picklist(EVENT_NAMES), with: v.optional(v.record(v.string(), v.unknown()), {}) })),
});

/** Reads the table. */
export async function readScript(path: string): Promise<Script> {
  const document = await parseDocument(await readFile(path, "utf8"), "yaml");
  if (document.kind === "broken") throw badScript(`${path}:${document.at.line}:${document.at.column}: ${document.message}`);
  const parsed = v.safeParse(ScriptFile, plainValue(document.root));
  if (!parsed.success) throw badScript(`${path}: ${v.getDotPath(parsed.issues[0]) ?? "it"}: ${parsed.issues[0].message}`);
  return { configs: parsed.output.configs, scenes: parsed.output.scenes.map(({ tell, event, with: fields }) => ({ tell, event: readEvent(event, fields) })) };
}

function badScript(message: string): SnaphookError {
  return new SnaphookError("SNAP_BAD_CONFIG", { message });
}
