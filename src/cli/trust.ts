import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { surroundings } from "../config/locate.ts";
import { setTrust, trustedFolders } from "../config/trust.ts";
import { SnaphookError } from "../model/errors.ts";
import type { Command } from "./command.ts";

/** `snaphook trust [DIR]`. */
export const trustCommand: Command = {
  summary: "let the hooks that come with a folder run, for good",
  usage: "trust [DIR] [--remove] [--list]",
  options: {
    remove: { type: "boolean", help: "take the trust back" },
    list: { type: "boolean", help: "list the trusted folders" },
  },
  notes: ["Hooks of project, local and plugin layers run only in trusted folders. Trust covers the folder: a changed hook runs without a new question."],
  run: async ({ positionals, flags }, surface) => {
    const configDir = surroundings({ cwd: surface.cwd, env: surface.env }).config;
    if (positionals.length > 1) throw new SnaphookError("SNAP_USAGE", { message: "trust takes one folder" });
    const folder = resolve(surface.cwd, positionals[0] ?? ".");
    if (!flags["list"]) {
      const real = await realpath(folder).catch(() => undefined);
      if (real === undefined) throw new SnaphookError("SNAP_USAGE", { message: `${folder} does not exist` });
      await setTrust({ folder, configDir, trusted: !flags["remove"] });
      if (!flags["json"]) surface.stdout(`${flags["remove"] ? "no longer trusted" : "trusted"}: ${real}\n`);
    }
    const folders = await trustedFolders(configDir);
    if (flags["json"]) surface.stdout(`${JSON.stringify({ folders })}\n`);
    else if (flags["list"]) surface.stdout(folders.map((each) => `${each}\n`).join("") || "no folder is trusted\n");
    return 0;
  },
};
