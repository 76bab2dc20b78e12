import { onDesk } from "../desk/session.ts";
import { deskFolder } from "../desk/places.ts";
import { stateDir, type SessionOptions } from "../session/create.ts";
import type { Surface } from "./command.ts";

/** How long a question waits for the page when nobody says otherwise. */
const EXPIRES_MS = 5 * 60_000;

/** Options of a session that the page may watch and answer; `SNAPHOOK_DESK=off` keeps it to itself. */
export function watchable(options: SessionOptions, { env }: Pick<Surface, "env">): SessionOptions {
  if (env["SNAPHOOK_DESK"] === "off") return options;
  const minutes = Number(env["SNAPHOOK_ASK_MINUTES"]);
  return onDesk(options, { desk: deskFolder(stateDir({ env })), expiresMs: minutes > 0 ? minutes * 60_000 : EXPIRES_MS });
}
