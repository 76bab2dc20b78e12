/** Who works after a line was said: words for the spinner. */
import type { SessionLine } from "../../session/lines.ts";
import { cleanLine } from "./clean.ts";
import type { Folders } from "../render/paths.ts";
import { shorten } from "../render/text.ts";
import { callSubject } from "./tool-text.ts";

const SUBJECT_WIDTH = 40;

/** Follows a session and says what it is doing; null: nothing changes. */
export function followActivity(folders: Folders): (line: SessionLine) => string | null {
  let waiting: readonly string[] = [];
  let running = "";
  return (line) => {
    switch (line.type) {
      case "model.request":
        return line.purpose === "compaction" ? "the model summarises" : "the model works";
      case "model.response":
        waiting = line.toolCalls.map((call) => `${cleanLine(call.name)}  ${shorten(callSubject(call, folders), SUBJECT_WIDTH)}`);
        return waiting.length > 0 ? `hooks before ${waiting[0]}` : "hooks before the turn ends";
      case "event":
        if (line.event === "tool.before") [running = "", ...waiting] = waiting;
        return EVENTS[line.event]?.(running) ?? null;
      case "approval":
        return running;
      case "tool.result":
        return waiting[0] === undefined ? "the model works" : `hooks before ${waiting[0]}`;
      case "turn.end":
      case "session.end":
        return "";
      case "notice":
        return null;
    }
  };
}

/** What follows an event. */
const EVENTS: { readonly [event: string]: (running: string) => string } = {
  "prompt.submit": () => "the model works",
  "tool.before": (running) => running,
  "tool.after": () => "the model works",
  "tool.failed": () => "the model works",
  "compact.before": () => "the model summarises",
};
