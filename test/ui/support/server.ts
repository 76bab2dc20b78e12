/** The page's server over a folder of its own, asked as the page does and as others might. */
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { deskFolder } from "../../../src/desk/places.ts";
import { openUi, type UiServer } from "../../../src/ui/server.ts";
import { ROOT } from "../../support/places.ts";
import { tempFolder } from "../../support/temp.ts";

/** The token of every server here. */
export const TOKEN = "a-token";

/** An open server and its places. */
export interface Opened {
  readonly server: UiServer;
  readonly folder: string;
  readonly desk: string;
  readonly auditDir: string;
}

/** Opens a server that nobody has used; `prepare` lays out what it finds. */
export async function open(prepare: (places: Omit<Opened, "server">) => void = () => {}): Promise<Opened> {
  const folder = tempFolder();
  const assets = join(folder, "page");
  mkdirSync(join(assets, "assets"), { recursive: true });
  writeFileSync(join(assets, "index.html"), "<!doctype html><title>page</title>");
  writeFileSync(join(assets, "assets", "app.js"), "export {};");
  writeFileSync(join(folder, "secret.txt"), "secret");
  const desk = deskFolder(folder);
  const auditDir = join(folder, "audit");
  prepare({ folder, desk, auditDir });
  const server = await openUi({
    desk,
    version: "0",
    cwd: folder,
    env: { HOME: folder },
    schemas: join(ROOT, "schema"),
    auditDir,
    token: TOKEN,
    port: 0,
    assets,
  });
  onTestFinished(async () => server.close());
  return { server, folder, desk, auditDir };
}

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly text: string;
}

/** `fetch` sets Host and normalises paths: an attacker does not. */
export async function ask({ server }: Opened, path: string, headers: { readonly [name: string]: string } = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: server.port, path, method: body === undefined ? "GET" : "POST", headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString("utf8") }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** What the page sends with each request. */
export const PASS = { authorization: `Bearer ${TOKEN}` };
/** And with one that has a body. */
export const JSON_BODY = { ...PASS, "content-type": "application/json" };

/** A server-sent event. */
export interface Event {
  readonly id: string;
  readonly kind: string;
  readonly data: string;
}

/** Server-sent events until one fits. */
export async function listen(ui: Opened, after: number, until: (event: Event, seen: readonly Event[]) => boolean): Promise<readonly Event[]> {
  const seen: Event[] = [];
  const response = await fetch(`http://127.0.0.1:${ui.server.port}/api/stream?after=${after}`, { headers: PASS });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString("utf8");
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
      const event = { id: field("id"), kind: field("event"), data: field("data") };
      seen.push(event);
      // Leaving the loop closes the stream.
      if (until(event, seen)) return seen;
    }
  }
  return seen;
}
