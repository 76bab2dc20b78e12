import type { Command } from "./command.ts";

/** `snaphook check`. */
export const checkCommand: Command = { summary: "", usage: "check", options: {}, run: async () => 1 };
