import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SnaphookError } from "../../../src/model/errors.ts";
import type { ModelRequest } from "../../../src/session/model/model.ts";
import { apiAddress } from "../../../src/session/model/providers.ts";
import { resolveModel } from "../../../src/session/model/resolve.ts";
import { startModelServer } from "../../../src/testing/model-server.ts";

let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "snaphook-resolve-"));
  await writeFile(join(cwd, "model.yaml"), "contextWindow: 77\nturns:\n  - text: from the script\n");
});
afterAll(async () => rm(cwd, { recursive: true, force: true }));

const REQUEST: ModelRequest = { system: "", messages: [{ role: "user", text: "go" }], tools: [], purpose: "turn", signal: new AbortController().signal };

describe("--model [S14]", () => {
  it("script:FILE is read from the working folder", async () => {
    const model = await resolveModel("script:model.yaml", { env: {}, cwd });
    expect({ id: model.id, window: model.contextWindow, text: (await model.call(REQUEST)).text }).toEqual({
      id: "script:model.yaml",
      window: 77,
      text: "from the script",
    });
  });

  const found: readonly (readonly [spec: string | undefined, env: { readonly [name: string]: string }, id: string, window: number])[] = [
    ["anthropic:claude-haiku-4-5", { ANTHROPIC_API_KEY: "k" }, "anthropic:claude-haiku-4-5", 200_000],
    ["anthropic:claude-opus-5-5", { ANTHROPIC_API_KEY: "k" }, "anthropic:claude-opus-5-5", 1_000_000],
    ["openai:gpt-4o-mini", { OPENAI_API_KEY: "k" }, "openai:gpt-4o-mini", 128_000],
    ["ollama:qwen3:8b", {}, "ollama:qwen3:8b", 32_768],
    ["vllm:meta/llama", { SNAPHOOK_CONTEXT_WINDOW: "131072" }, "vllm:meta/llama", 131_072],
    ["compatible:x", { SNAPHOOK_BASE_URL: "http://127.0.0.1:1/v1" }, "compatible:x", 32_768],
    [undefined, { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "anthropic:claude-sonnet-5-5", 1_000_000],
    [undefined, { ANTHROPIC_API_KEY: " ", OPENAI_API_KEY: "k" }, "openai:gpt-5.6", 272_000],
    ["anthropic", { ANTHROPIC_API_KEY: "k" }, "anthropic:claude-sonnet-5-5", 1_000_000],
  ];
  it.each(found)("%s with %j is %s", async (spec, env, id, window) => {
    const model = await resolveModel(spec, { env, cwd });
    expect({ id: model.id, window: model.contextWindow }).toEqual({ id, window });
  });

  const wrong: readonly (readonly [spec: string | undefined, env: { readonly [name: string]: string }, code: string, exitCode: number, message: string])[] = [
    [undefined, {}, "SNAP_NO_MODEL", 64, "no model: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or try --model script:examples/tour/model.yaml."],
    [
      "antropic:x",
      {},
      "SNAP_USAGE",
      64,
      'model "antropic:x" has no known provider, did you mean "anthropic"? Known: script, anthropic, openai, ollama, vllm, compatible.',
    ],
    ["gpt-5", {}, "SNAP_USAGE", 64, 'model "gpt-5" names no provider: write it as provider:name. Known: script, anthropic, openai, ollama, vllm, compatible.'],
    ["toString:x", {}, "SNAP_USAGE", 64, 'model "toString:x" has no known provider. Known: script, anthropic, openai, ollama, vllm, compatible.'],
    ["anthropic:x", {}, "SNAP_USAGE", 64, "model anthropic:x needs a key: set ANTHROPIC_API_KEY."],
    ["ollama:", {}, "SNAP_USAGE", 64, 'model "ollama:" names no model: write ollama:NAME.'],
    ["compatible:x", {}, "SNAP_USAGE", 64, "model compatible: needs a server: set SNAPHOOK_BASE_URL or OPENAI_BASE_URL, as http://127.0.0.1:8000/v1."],
    ["compatible:x", { OPENAI_BASE_URL: "nowhere" }, "SNAP_USAGE", 64, "OPENAI_BASE_URL is not an address; write it as http://127.0.0.1:8000/v1."],
    [
      "openai:x",
      { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://me:pw@host/v1" },
      "SNAP_USAGE",
      64,
      "OPENAI_BASE_URL holds a user name: put the key into OPENAI_API_KEY instead.",
    ],
    ["vllm:x", { SNAPHOOK_CONTEXT_WINDOW: "8k" }, "SNAP_USAGE", 64, 'SNAPHOOK_CONTEXT_WINDOW "8k" is not a number of tokens; write it as 32768.'],
    ["script:none.yaml", {}, "SNAP_BAD_CONFIG", 78, "the model script none.yaml can't be read: there is no such file."],
    ["script:", {}, "SNAP_USAGE", 64, "model script: names no file: write script:FILE."],
  ];
  it.each(wrong)("%s with %j is the caller's mistake", async (spec, env, code, exitCode, message) => {
    const failure = await resolveModel(spec, { env, cwd }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SnaphookError);
    expect(failure).toMatchObject({ code, message });
    expect(failure instanceof SnaphookError && failure.exitCode).toBe(exitCode);
  });

  const servers: readonly (readonly [spec: string, env: (url: string) => { readonly [name: string]: string }, path: string])[] = [
    ["anthropic:m", (url) => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url }), "/v1/messages"],
    ["anthropic:m", (url) => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `${url}/v1/` }), "/v1/messages"],
    ["openai:m", (url) => ({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${url}/v1` }), "/v1/chat/completions"],
    ["compatible:m", (url) => ({ OPENAI_BASE_URL: `${url}/v1` }), "/v1/chat/completions"],
    ["compatible:m", (url) => ({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1", SNAPHOOK_BASE_URL: `${url}/v1` }), "/v1/chat/completions"],
    ["vllm:m", (url) => ({ VLLM_BASE_URL: url }), "/v1/chat/completions"],
    ["ollama:m", (url) => ({ OLLAMA_HOST: url.slice("http://".length) }), "/v1/chat/completions"],
  ];
  it.each(servers)("%s speaks to the server that the environment names", async (spec, env, path) => {
    const server = await startModelServer([{ kind: "answer", text: "from the server" }]);
    try {
      const model = await resolveModel(spec, { env: env(server.url), cwd });
      expect((await model.call(REQUEST)).text).toBe("from the server");
      expect(server.requests.map((request) => request.path)).toEqual([path]);
    } finally {
      await server.close();
    }
  });

  it.each([
    ["0.0.0.0", "host", "http://127.0.0.1:11434/v1"],
    ["box:9", "host", "http://box:9/v1"],
    ["https://box", "host", "https://box/v1"],
    ["http://[::1]:11434", "host", "http://[::1]:11434/v1"],
    ["https://gateway/anthropic", "server", "https://gateway/anthropic/v1"],
    ["https://gateway/v2/", "server", "https://gateway/v2"],
    ["https://host/openai/v1", "api", "https://host/openai/v1"],
    ["https://host/", "api", "https://host"],
    ["file:///etc/passwd", "api", undefined],
  ] as const)("%s (%s) is %s", (written, address, url) => {
    expect(apiAddress(written, address)).toBe(url);
  });
});
