import type { Command } from "./command.ts";

/** `snaphook why`. */
export const whyCommand: Command = { summary: "", usage: "why", options: {}, run: async () => 1 };
