import type { Command } from "./command.ts";
export const lintCommand: Command = { summary: "", usage: "lint", options: {}, run: async () => 1 };
