/** The server behind the page: loopback only, one token, no foreign origin. */
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { listLanes } from "../audit/files.ts";
import { LogReader } from "../audit/reader.ts";
import { messageOf } from "../lib/errors.ts";
import { SnaphookError } from "../model/errors.ts";
import { readAssets } from "./assets.ts";
import type { UiContext } from "./context.ts";
import { demandToken, sameSite, securityHeaders } from "./guard.ts";
import { Live } from "./live.ts";
import { OnceCodes } from "./once.ts";
import { auditRoutes } from "./routes/audit.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { liveRoutes } from "./routes/live.ts";
import { playgroundRoutes } from "./routes/playground.ts";
import { tokenRoutes } from "./routes/token.ts";

/** The index of the audit log waits until the page is there: both want the processor. */
const INDEX_AFTER_MS = 1_500;

/** What a server is opened with. */
export interface UiOptions extends Omit<UiContext, "live" | "audit"> {
  readonly token: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The folder of the built page. */
  readonly assets: string;
}

/** A server that listens. */
export interface UiServer {
  readonly port: number;
  /** The page's address, with the token in its fragment. */
  readonly address: string;
  /** An address that opens the page once: for a program's arguments, which are no secret. */
  addressOnce(): string;
  close(): Promise<void>;
}

/** Opens the server. */
export async function openUi(options: UiOptions): Promise<UiServer> {
  const live = new Live(options.desk);
  const audit = options.auditDir === null ? null : new LogReader(options.auditDir);
  const context: UiContext = { ...options, live, audit };
  let port = options.port;
  const app = new Hono();
  app.use(
    securityHeaders,
    sameSite(() => port),
  );
  const codes = new OnceCodes();
  app.route("/api", tokenRoutes({ token: options.token, codes }));
  app.use("/api/*", demandToken(options.token));
  app.route("/api", liveRoutes(context));
  app.route("/api", playgroundRoutes(context));
  app.route("/api", hookRoutes(context));
  app.route("/api", auditRoutes(context));
  const assets = readAssets(options.assets);
  app.get("*", (request) => {
    const asset = assets.get(request.req.path);
    return asset ? request.body(asset.body, 200, { "content-type": asset.type }) : request.json({ error: "there is nothing here" }, 404);
  });
  app.onError((error, request) => request.json({ error: messageOf(error) }, error instanceof SnaphookError ? 400 : 500));
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  port = await listen(server, options.port);
  live.start();
  // Whoever searches finds the index made, or on its way. What goes wrong is told to the one who asks.
  const indexing = setTimeout(() => {
    if (options.auditDir !== null && listLanes(options.auditDir).length > 0) audit?.index({}).catch(() => {});
  }, INDEX_AFTER_MS);
  return {
    port,
    address: `http://127.0.0.1:${port}/#token=${options.token}`,
    addressOnce: () => `http://127.0.0.1:${port}/#once=${codes.make()}`,
    close: async () => {
      clearTimeout(indexing);
      live.stop();
      await audit?.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new SnaphookError("SNAP_USAGE", { message: `the page can't be served on port ${port}: ${messageOf(error)}` })));
    server.listen({ host: "127.0.0.1", port }, resolve);
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
