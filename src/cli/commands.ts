import type { Command } from "./command.ts";
import { fireCommand } from "./fire.ts";

/** Every command, with the line that the main help shows. Its module is loaded only when it is used, but that of `fire`, which is used at every turn. */
export const COMMANDS: { readonly [name: string]: { readonly summary: string; readonly load: () => Promise<Command> } } = {
  fire: { summary: "fire one event through the configured hooks", load: async () => fireCommand },
  why: { summary: "the verdict for a command or tool call under every configuration here, and why", load: async () => (await import("./why.ts")).whyCommand },
  check: { summary: "evaluate permission rules, one call or a batch", load: async () => (await import("./check.ts")).checkCommand },
  run: { summary: "a session: an agent with hooks and a gate around every call", load: async () => (await import("./run.ts")).runCommand },
  bridge: { summary: "sessions over JSON-RPC on stdio or a Unix socket", load: async () => (await import("./bridge.ts")).bridgeCommand },
  ui: { summary: "a page on this machine: watch sessions, answer their questions", load: async () => (await import("./ui.ts")).uiCommand },
  list: { summary: "what is armed, and from where", load: async () => (await import("./list.ts")).listCommand },
  lint: { summary: "what is wrong in configuration files, with file, line and column", load: async () => (await import("./lint.ts")).lintCommand },
  doctor: { summary: "whether every hook could run now, and what it rests on", load: async () => (await import("./doctor.ts")).doctorCommand },
  trust: { summary: "which folders' own hooks may run", load: async () => (await import("./trust.ts")).trustCommand },
  daemon: { summary: "a process that answers hook calls at once, asked by snaphook-hook", load: async () => (await import("./daemon.ts")).daemonCommand },
  audit: { summary: "what was decided, by whom and why: tail, query, verify, export, stats", load: async () => (await import("./audit.ts")).auditCommand },
  tour: { summary: "a scripted walk through the dialects, told as a timeline", load: async () => (await import("./tour.ts")).tourCommand },
};
