/** Whoever waits for a caller's signal stops listening when the wait ends, in every runner. */
import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEngine } from "../../src/engine/engine.ts";
import { defineHook } from "../../src/engine/library-hook.ts";
import { callOf } from "../support/events.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

test("a signal that was given to a dozen events has no listener left when they have ended", async () => {
  const cwd = tempFolder();
  const server = createServer((_, response) => response.end("{}"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
  const worker = `while read -r line; do id=\${line#*\\"id\\":}; echo "{\\"id\\":\${id%%,*}}"; done`;
  writeFiles(cwd, {
    "hooks.json": { hooks: { "tool.before": [{ command: "true" }, { command: "sleep 9", timeout: "20ms" }, { command: worker, worker: true }, { url }] } },
  });
  const engine = await createEngine({
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: join(cwd, ".home"), TMPDIR: cwd },
    configs: [{ file: "hooks.json", dialect: "snaphook" }],
    hooks: [
      defineHook({
        event: "tool.before",
        timeoutMs: 5,
        call: (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve({}))),
      }),
    ],
  });
  onTestFinished(async () => engine.close());
  const caller = new AbortController();
  for (let round = 0; round < 12; round++) {
    const decision = await engine.fire(callOf("ls"), { signal: caller.signal });
    expect(decision.hooks.map(({ fault }) => fault?.kind ?? null)).toEqual([null, "timeout", null, null, "timeout"]);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  }
});
