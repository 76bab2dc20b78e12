import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { deskFolder } from "../desk/places.ts";
import { SnaphookError } from "../model/errors.ts";
import { stateDir } from "../session/create.ts";
import { auditPlace } from "./audit/place.ts";
import type { Command, Surface } from "./command.ts";
import { packageRoot } from "./tour/package-root.ts";
import { VERSION } from "./version.ts";

/** `snaphook ui`. */
export const uiCommand: Command = {
  summary: "a page on this machine: watch sessions, answer their questions, find out why",
  usage: "ui [--port N] [--no-open] [--cwd DIR]",
  options: {
    port: { type: "string", value: "N", help: "the port on 127.0.0.1; any free one without it" },
    "no-open": { type: "boolean", help: "print the address, open no browser" },
    cwd: { type: "string", value: "DIR", help: "the folder whose hooks and rules are shown" },
  },
  notes: [
    "The address holds a secret behind its #: whoever has it may answer questions. It is new at each start.",
    "While the page's server runs, headless sessions of this user ask here instead of being denied; a question waits",
    "SNAPHOOK_ASK_MINUTES (5). SNAPHOOK_DESK=off keeps a session to itself.",
  ],
  run: async (words, surface) => {
    const { openUi } = await import("../ui/server.ts");
    const assets = join(packageRoot(import.meta.url), "dist", "ui");
    if (!existsSync(join(assets, "index.html")))
      throw new SnaphookError("SNAP_INTERNAL", {
        message: `the page is not built: ${assets} has no index.html; run npm run build in a checkout, or install the package again`,
      });
    const server = await openUi({
      desk: deskFolder(stateDir({ env: surface.env })),
      version: VERSION,
      cwd: resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? "."),
      env: surface.env,
      schemas: join(packageRoot(import.meta.url), "schema"),
      auditDir: auditPlace(surface).folder,
      token: randomBytes(32).toString("base64url"),
      port: readPort(words.values["port"]?.at(-1)),
      assets,
    });
    surface.stdout(words.flags["json"] ? `${JSON.stringify({ address: server.address, port: server.port, pid: process.pid })}\n` : `${server.address}\n`);
    if (!words.flags["no-open"] && surface.terminal.isTerminal) openBrowser(server.addressOnce(), surface);
    await new Promise<void>((done) => {
      surface.onInterrupt(() => (done(), true));
      surface.signal.addEventListener("abort", () => done(), { once: true });
    });
    await server.close();
    return 0;
  },
};

function readPort(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new SnaphookError("SNAP_USAGE", { message: `--port ${JSON.stringify(text)} is not a port` });
}

const OPENERS: { readonly [platform: string]: string } = { darwin: "open", win32: "explorer.exe" };

/** A desktop opens the page; elsewhere the address is enough. Other users can read what a program is given: the address is good once. */
function openBrowser(address: string, { env }: Surface): void {
  const opener = OPENERS[process.platform] ?? (env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "xdg-open" : undefined);
  if (opener === undefined) return;
  const child = spawn(opener, [address], { env: { ...env }, stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
