import type { Command } from "./command.ts";
export const listCommand: Command = { summary: "", usage: "list", options: {}, run: async () => 1 };
