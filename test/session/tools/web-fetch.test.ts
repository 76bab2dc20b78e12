import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { FETCH_LIMIT_BYTES } from "../../../src/session/tools/fetch-page.ts";
import { PAGE_LIMIT_CHARACTERS, webFetch } from "../../../src/session/tools/web-fetch.ts";
import { bench, fine, wrong } from "./context.ts";

const LOCAL = webFetch({ allowLoopback: true });

/** A server on loopback; gives its origin. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

describe("[S2] [W8] WebFetch", () => {
  test("puts the prompt before the page's text", async () => {
    const origin = await serve((_request, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end("<html><head><title>T</title><script>bad()</script></head><body><h1>Hi</h1><p>See <a href='/x'>this</a></p></body></html>");
    });
    expect(await bench().run(LOCAL, { url: `${origin}/`, prompt: "What is it?" })).toEqual(fine("What is it?\n\nT\n\nHi\n\nSee this (/x)"));
  });

  test("plain text, JSON, gzip and other charsets are read", async () => {
    const origin = await serve((request, response) => {
      if (request.url === "/gzip") response.setHeader("content-encoding", "gzip").end(gzipSync('{"a":1}'));
      else response.setHeader("content-type", "text/plain; charset=iso-8859-1").end(Buffer.from([0xe4]));
    });
    expect(await bench().run(LOCAL, { url: `${origin}/gzip`, prompt: "" })).toEqual(fine('{"a":1}'));
    expect(await bench().run(LOCAL, { url: `${origin}/latin`, prompt: "" })).toEqual(fine("ä"));
  });

  test("an error of the server is an error result with its text", async () => {
    const origin = await serve((_request, response) => void response.writeHead(404).end("gone"));
    expect(await bench().run(LOCAL, { url: origin, prompt: "" })).toEqual(wrong("The server answered 404 Not Found\n\ngone"));
  });

  test("follows redirects on the same host, and tells where another one leads", async () => {
    const origin = await serve((request, response) => {
      const to: { readonly [path: string]: string } = {
        "/a": "/b",
        "/out": "http://other.example/x",
        "/local": "http://localhost:1/",
        "/loop": "/loop",
        "/file": "file:///etc/passwd",
      };
      const location = to[request.url ?? ""];
      if (location === undefined) response.end("here");
      else response.writeHead(302, { location }).end();
    });
    const { run } = bench();
    const fetched = async (path: string) => run(LOCAL, { url: `${origin}${path}`, prompt: "" });
    expect(await fetched("/a")).toEqual(fine("here"));
    expect(await fetched("/out")).toEqual(wrong(`${origin}/out redirects to another host: http://other.example/x. Fetch that address if it is what you want.`));
    expect((await fetched("/local")).output).toContain("redirects to another host: http://localhost:1/");
    expect((await fetched("/file")).output).toContain("redirects to another host: file:///etc/passwd");
    expect(await fetched("/loop")).toEqual(wrong(`${origin}/loop could not be fetched: it redirects more than 5 times`));
  });

  test("a page is cut at its limits, and what is no text is not shown", async () => {
    const origin = await serve((request, response) => {
      if (request.url === "/large") response.end("x".repeat(FETCH_LIMIT_BYTES + 1));
      else if (request.url === "/bomb") response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(5 * FETCH_LIMIT_BYTES)));
      else response.setHeader("content-type", "image/png").end(Buffer.from([137, 80, 0, 0]));
    });
    const { run } = bench();
    const large = await run(LOCAL, { url: `${origin}/large`, prompt: "" });
    expect(large.output).toContain(`(${FETCH_LIMIT_BYTES - PAGE_LIMIT_CHARACTERS} characters are cut here)`);
    expect(large.output.endsWith(`(only the first ${FETCH_LIMIT_BYTES} bytes were read)`)).toBe(true);
    expect((await run(LOCAL, { url: `${origin}/bomb`, prompt: "" })).isError).toBe(true);
    expect(await run(LOCAL, { url: `${origin}/image`, prompt: "" })).toEqual(wrong(`${origin}/image is not text (image/png, 4 bytes)`));
  });

  test("[S6] a cancelled turn ends the wait", async () => {
    const origin = await serve(() => {});
    const stop = new AbortController();
    const running = bench().run(LOCAL, { url: origin, prompt: "" }, { signal: stop.signal });
    stop.abort();
    await expect(running).rejects.toThrow();
  });
});

describe("WebFetch goes nowhere private", () => {
  test.each([
    ["http://127.0.0.1:9/", "127.0.0.1 is not a public address (loopback)"],
    ["http://2130706433/", "127.0.0.1 is not a public address (loopback)"],
    ["http://[::1]/", "[::1] is not a public address (loopback)"],
    ["http://[::ffff:10.0.0.1]/", "[::ffff:a00:1] is not a public address (private)"],
    ["http://169.254.169.254/latest/meta-data/", "169.254.169.254 is not a public address (link-local, where clouds keep credentials)"],
    ["http://localhost:9/", "localhost leads to no public address (loopback)"],
  ])("%s", async (url, reason) => {
    expect(await bench().run("WebFetch", { url, prompt: "" })).toEqual(wrong(`${url} could not be fetched: ${reason}`));
  });

  test.each([
    ["file:///etc/passwd", "url is not an http or https address (file:)"],
    ["not a url", "url not a url is not a URL"],
    ["https://user:pw@example.com/", "url holds a user name or password, which is not sent"],
  ])("%s", async (url, reason) => {
    expect(await bench().run("WebFetch", { url, prompt: "" })).toEqual(wrong(reason));
  });

  test("a redirect into it is told, not followed, also on a port of the same machine", async () => {
    const origin = await serve((_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:9/" }).end());
    expect((await bench().run(LOCAL, { url: origin, prompt: "" })).output).toContain("redirects to another host: http://127.0.0.1:9/");
  });
});
