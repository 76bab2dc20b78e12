/** Where the audit log stands, and whether there is one. */
import { isAbsolute, join, resolve } from "node:path";
import type { Option, Surface } from "../command.ts";

/** The option of commands whose decisions are recorded. */
export const AUDIT_OPTION: { readonly [name: string]: Option } = {
  "no-audit": { type: "boolean", help: "keep no record of this run (SNAPHOOK_AUDIT=off: of any; =DIR: keep it there)" },
};

/** What the environment says about the log. */
export interface AuditPlace {
  /** Null: no record is kept. */
  readonly folder: string | null;
  /** No record, no call. */
  readonly required: boolean;
  /** Whether somebody said that there should be one. */
  readonly asked: boolean;
}

/** Words for the log in its usual place, by what they ask for. */
const WORDS: { readonly [word: string]: Pick<AuditPlace, "required" | "asked"> } = {
  "": { required: false, asked: false },
  on: { required: false, asked: true },
  required: { required: true, asked: true },
};

/** Reads SNAPHOOK_AUDIT: `off`, `on`, `required`, or a folder. */
export function auditPlace({ env, cwd }: Pick<Surface, "env" | "cwd">): AuditPlace {
  const word = env["SNAPHOOK_AUDIT"] ?? "";
  if (word === "off") return { folder: null, required: false, asked: true };
  const usual = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  return usual ? { folder: usualFolder(env), ...usual } : { folder: resolve(cwd, word), required: false, asked: true };
}

/** `~/.local/state/snaphook/audit`; empty, and so never written, where no home is known. */
function usualFolder(env: Surface["env"]): string {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  const state = env["XDG_STATE_HOME"] || (home === "" ? "" : join(home, ".local", "state"));
  return isAbsolute(state) ? join(state, "snaphook", "audit") : "";
}
