/** The desk: a private folder in which running sessions lay out what they do and what they ask, for whoever watches. */
import { join } from "node:path";
import { makePrivate } from "../lib/private.ts";
import { SnaphookError } from "../model/errors.ts";

/** The folder of the desk below a state folder. */
export function deskFolder(stateDir: string): string {
  return join(stateDir, "snaphook", "desk");
}

/** Folders and files of the desk. */
export const PLACES = {
  sessions: (desk: string) => join(desk, "sessions"),
  session: (desk: string, id: string) => join(desk, "sessions", safeName(id)),
  card: (folder: string) => join(folder, "session.json"),
  lines: (folder: string) => join(folder, "lines.jsonl"),
  asks: (folder: string) => join(folder, "asks"),
  watchers: (desk: string) => join(desk, "watchers"),
} as const;

/** Ids become names of files: anything but letters, digits, dash and underscore is refused. */
export function safeName(id: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(id)) return id;
  throw new SnaphookError("SNAP_USAGE", { message: `${JSON.stringify(id)} is no id` });
}

/** Makes a folder that its owner alone may enter; one that is open to others is refused. */
export function privateFolder(path: string): string {
  const wrong = makePrivate(path);
  if (wrong !== null) throw new SnaphookError("SNAP_BAD_CONFIG", { message: `${wrong}: sessions lay nothing out there` });
  return path;
}

/** The file that holds the answer to a question. */
export function answerFile(question: string): string {
  return question.replace(/\.json$/, ".answer");
}
