import { expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import { RUNNERS } from "../../src/runners/index.ts";
import { hookFor } from "../../src/testing/index.ts";
import { payloadOf, runContext } from "../support/run-context.ts";

test.each(["prompt", "agent"] as const)("a hook of type %s is a named fault until there is a model, not a silence", async (type) => {
  const hook = hookFor(DIALECTS.robota, "PreToolUse", { action: { type, prompt: "is it safe?", model: null } });
  const { result } = await RUNNERS[type](hook, payloadOf({}), runContext());
  expect(result).toMatchObject({ kind: "failed", fault: "unsupported", message: expect.stringContaining(type) });
});
