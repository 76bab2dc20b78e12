/** A real server on the loopback address. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { runHttp } from "../../src/runners/http.ts";
import type { RunContext, RunnerResult } from "../../src/runners/runner.ts";
import { hookFor } from "../../src/testing/index.ts";
import { NOW, payloadOf, runContext, type Action } from "../support/run-context.ts";

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const NOTHING: Received = { method: undefined, headers: {}, body: "" };

async function serve(answer: RequestListener): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // oxlint-disable-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
  return { url: `http://127.0.0.1:${port}/hook`, received };
}

const PAYLOAD = payloadOf({ tool_name: "Bash", text: "é" });

async function post(url: string, changes: Partial<Action<"http">> = {}, context: Partial<RunContext> = {}, timeoutMs = 2_000): Promise<RunnerResult> {
  const action: Action<"http"> = { type: "http", url, headers: {}, allowedEnv: [], secret: null, refused: null, allowPrivate: false, ...changes };
  return runHttp(hookFor(DIALECTS.robota, "PreToolUse", { action, timeoutMs }), PAYLOAD, runContext(context));
}

describe("[R6] the request", () => {
  test("is a POST of the payload as JSON, and the JSON answer comes back", async () => {
    const { url, received } = await serve((_, response) => response.end('{"ok":true}'));
    expect(await post(url)).toEqual({ result: { kind: "returned", value: { ok: true } }, stubbed: [], remarks: [] });
    expect(received).toMatchObject([{ method: "POST", body: PAYLOAD.stdinText, headers: { "content-type": "application/json" } }]);
  });

  test("headers name variables, but only the listed ones", async () => {
    const { url, received } = await serve((_, response) => response.end("{}"));
    const headers = { Authorization: "Bearer $TOKEN", "X-Both": "${TOKEN}/$SECRET", "X-Plain": "costs 5$", "X-Unset": "$UNSET" };
    const { remarks } = await post(url, { headers, allowedEnv: ["TOKEN", "UNSET"] }, { env: { TOKEN: "t0ken", SECRET: "s3cret" } });
    expect(received[0]?.headers).toMatchObject({ authorization: "Bearer t0ken", "x-both": "t0ken/", "x-plain": "costs 5$", "x-unset": "" });
    expect(remarks).toEqual(["$SECRET is not in allowedEnvVars and was left empty", "$UNSET is not set and was left empty"]);
  });

  test("a dialect that allows any variable has no list", async () => {
    const { url, received } = await serve((_, response) => response.end("{}"));
    expect((await post(url, { headers: { "x-token": "$TOKEN" }, allowedEnv: null }, { env: { TOKEN: "t0ken" } })).remarks).toEqual([]);
    expect(received[0]?.headers["x-token"]).toBe("t0ken");
  });
});

describe("Standard Webhooks", () => {
  const KEY = Buffer.from("a secret of 24 bytes....");

  test.each([
    ["whsec_ and base64", `whsec_${KEY.toString("base64")}`, KEY],
    ["as it is", "plain secret", Buffer.from("plain secret")],
    ["from a listed variable", "$SIGNING", KEY],
  ])("the signature is over id, time and body, with a secret given %s", async (_, secret, key) => {
    const { url, received } = await serve((__, response) => response.end("{}"));
    await post(url, { secret, allowedEnv: ["SIGNING"] }, { env: { SIGNING: `whsec_${KEY.toString("base64")}` } });
    const [{ headers, body } = NOTHING] = received;
    const timestamp = String(Math.floor(NOW.getTime() / 1_000));
    expect(headers["webhook-timestamp"]).toBe(timestamp);
    expect(headers["webhook-id"]).toMatch(/^msg_/);
    const expected = createHmac("sha256", key)
      .update(`${String(headers["webhook-id"])}.${timestamp}.${body}`)
      .digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
  });

  test("no secret, no signature", async () => {
    const { url, received } = await serve((_, response) => response.end("{}"));
    await post(url);
    expect(received[0]?.headers["webhook-signature"]).toBeUndefined();
  });
});

describe("limits and failures", () => {
  test("a redirect is refused: headers go to no other server", async () => {
    const other = await serve((_, response) => response.end('{"ok":true}'));
    const { url } = await serve((_, response) => response.writeHead(307, { location: other.url }).end());
    const { result } = await post(url, { headers: { authorization: "secret" } });
    expect(result).toEqual({ kind: "failed", fault: "http", message: "the server answered 307; redirects are not followed, configure the final address" });
    expect(other.received).toEqual([]);
  });

  test.each([204, 404, 500])("status %i", async (status) => {
    const { url } = await serve((_, response) => response.writeHead(status).end());
    const { result } = await post(url);
    expect(result).toEqual(
      status === 204
        ? { kind: "failed", fault: "answer", message: "the server's answer is not JSON", failure: "badJson" }
        : { kind: "failed", fault: "http", message: `the server answered ${status}` },
    );
  });

  test("an answer that is not JSON is a fault", async () => {
    const { url } = await serve((_, response) => response.end("<html>"));
    expect((await post(url)).result).toEqual({ kind: "failed", fault: "answer", message: "the server's answer is not JSON", failure: "badJson" });
  });

  test("[F7] an answer without end is cut at the limit", async () => {
    const { url } = await serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(1_000))) continue;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    expect((await post(url)).result).toEqual({ kind: "oversized", limitBytes: 10_000, code: null, stderr: "" });
  });

  test("[F7] an answer of exactly the limit is fine", async () => {
    const { url } = await serve((_, response) => response.end(`{"a":"${"x".repeat(10_000 - 8)}"}`));
    expect((await post(url)).result).toMatchObject({ kind: "returned" });
  });

  test("no answer in time", async () => {
    const { url } = await serve(() => {});
    expect((await post(url, {}, {}, 50)).result).toEqual({ kind: "timed-out", afterMs: 50 });
  });

  test("an answer that begins and never ends runs out of time too", async () => {
    const { url } = await serve((_, response) => void response.write('{"ok":'));
    expect((await post(url, {}, {}, 50)).result).toEqual({ kind: "timed-out", afterMs: 50 });
  });

  test("nobody listens", async () => {
    const { url } = await serve(() => {});
    const closed = url.replace(/:\d+/, ":1");
    expect((await post(closed)).result).toMatchObject({ kind: "not-started", message: expect.stringContaining("the server can't be reached") });
  });

  test("a connection that is cut", async () => {
    const { url } = await serve((request) => void request.socket.destroy());
    expect((await post(url)).result).toMatchObject({ kind: "not-started" });
  });

  test("the caller's signal ends the wait", async () => {
    const caller = new AbortController();
    const { url } = await serve(() => caller.abort());
    expect((await post(url, {}, { signal: caller.signal })).result).toEqual({ kind: "skipped", why: "the caller cancelled the event" });
  });
});

describe("where a request may go", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/",
    "http://[fd00:ec2::254]/",
    "http://[::ffff:192.168.0.1]/",
    "http://0x7f.1.169.254/",
  ])("%s is refused before anything is sent", async (url) => {
    const { result } = await post(url);
    expect(result.kind).toBe("not-started");
  });

  test("what the configuration refuses is not sent", async () => {
    const { url, received } = await serve((_, response) => response.end("{}"));
    expect((await post(url, { refused: "the URL is in no list" })).result).toEqual({
      kind: "not-started",
      message: "the URL is in no list",
      failure: "refused",
    });
    expect(received).toEqual([]);
  });

  test("a connection is used again", async () => {
    const ports = new Set<number | undefined>();
    const { url } = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("{}");
    });
    for (let time = 0; time < 5; time++) expect((await post(url)).result.kind).toBe("returned");
    expect(ports.size).toBe(1);
  });

  test("a connection that its server closed meanwhile is replaced, and the hook is heard", async () => {
    const seen = new Map<number | undefined, number>();
    const { url } = await serve((request, response) => {
      const times = (seen.get(request.socket.remotePort) ?? 0) + 1;
      seen.set(request.socket.remotePort, times);
      if (times === 2) request.socket.resetAndDestroy();
      else response.end("{}");
    });
    expect((await post(url)).result.kind).toBe("returned");
    expect((await post(url)).result.kind).toBe("returned");
    expect([...seen.values()]).toEqual([2, 1]);
  });
});
