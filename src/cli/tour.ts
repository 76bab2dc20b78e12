import type { Command } from "./command.ts";
export const tourCommand: Command = { summary: "", usage: "tour", options: {}, run: async () => 1 };
