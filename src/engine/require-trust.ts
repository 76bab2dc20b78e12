import type { Configuration } from "../config/load.ts";
import { SnaphookError } from "../model/errors.ts";
import type { Notice } from "../model/notice.ts";

/** Throws where something that comes with the project was left out for want of trust. */
export function requireTrust({ leftOut, notices }: Configuration): void {
  const told = [...leftOut.filter(({ state }) => state !== "overruled").map(({ message }) => message), ...untrustedTexts(notices)];
  const [first] = told;
  if (first === undefined) return;
  const more = told.length > 1 ? ` (and ${told.length - 1} more: \`snaphook list\` shows them)` : "";
  throw new SnaphookError("SNAP_NOT_TRUSTED", { message: `nothing was run: ${first}${more}` });
}

function untrustedTexts(notices: readonly Notice[]): readonly string[] {
  return notices.filter(({ kind }) => kind === "not-trusted").map(({ message }) => message);
}
