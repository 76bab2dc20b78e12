import type { ShapeReader } from "./shape.ts";
import { draft } from "./shape.ts";

/** A command in a string: Lime and claw. */
export const strings: ShapeReader = {
  wants: "a command in quotes",
  fits: (entry) => entry.kind === "scalar" && typeof entry.value === "string",
  read: (entry, { dialect, report }) => {
    if (entry.kind !== "scalar" || typeof entry.value !== "string") return [];
    const command = entry.value;
    if (command.trim() === "") {
      report(entry.at, { kind: "bad-command", message: "the command is empty" });
      return [];
    }
    return [draft(entry.at, command, { type: "command", launch: dialect.launch, command, args: null })];
  },
};
