/** Puts a session on the desk: its options, with the lines and questions going there as well. */
import type { SessionOptions } from "../session/create.ts";
import type { SessionLine } from "../session/lines.ts";
import { messageOf } from "../lib/errors.ts";
import { Feed } from "./feed.ts";
import { deskMouth } from "./mouth.ts";

/** Where the desk is and how long its questions wait. */
export interface DeskOptions {
  readonly desk: string;
  readonly expiresMs: number | null;
}

/** The same options, watched. A desk that can't be written costs the session nothing but a notice. */
export function onDesk(options: SessionOptions, { desk, expiresMs }: DeskOptions): SessionOptions {
  let feed: Feed | null = null;
  let sessionId = "";
  const now = (): Date => new Date();
  const safely = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      feed = null;
      options.onLine?.({ type: "notice", agent: null, message: `the session is not shown on the page: ${messageOf(error)}` });
    }
  };
  const follow = (line: SessionLine): void => {
    feed?.line(line, now().toISOString());
    if (line.type === "session.end") feed?.end(now().toISOString());
  };
  return {
    ...options,
    mouths: [...(options.mouths ?? []), deskMouth({ desk, place: () => feed && { folder: feed.folder, sessionId }, expiresMs, now })],
    onCreated: (id) => {
      sessionId = id;
      safely(() => {
        const { cwd, model, mode = "default" } = options;
        feed = new Feed(desk, {
          id,
          pid: process.pid,
          cwd,
          model: typeof model === "string" ? model : (model?.id ?? "default"),
          mode,
          startedAt: now().toISOString(),
        });
      });
      options.onCreated?.(id);
    },
    onLine: (line) => {
      options.onLine?.(line);
      safely(() => follow(line));
    },
  };
}
