import { describe, expect, test } from "vitest";
import { askMouths, fixedMouth, NOBODY, preparedMouth, type ApprovalRequest, type Mouth } from "../../src/session/approvals.ts";

const REQUEST: ApprovalRequest = { tool: "Bash", input: { command: "make all" }, reason: "mode default asks", agent: null };
const signal = (): AbortSignal => new AbortController().signal;
const silent: Mouth = { ask: async () => undefined };
const broken: Mouth = { ask: async () => Promise.reject(new Error("gone")) };

describe("approvals", () => {
  test("[S12] without a mouth, and when no mouth answers, nobody was there", async () => {
    expect(await askMouths([], REQUEST, signal())).toEqual(NOBODY);
    expect(await askMouths([silent, broken], REQUEST, signal())).toEqual(NOBODY);
  });

  test("[S12] the first answer wins and the others are told by their signal", async () => {
    let told = false;
    const slow: Mouth = {
      ask: async (_request, stop) =>
        new Promise((resolve) => {
          stop.addEventListener("abort", () => {
            told = true;
            resolve(undefined);
          });
        }),
    };
    expect(await askMouths([slow, silent, fixedMouth("deny")], REQUEST, signal())).toEqual({ answer: "deny", by: "--approve deny" });
    expect(told).toBe(true);
  });

  test("[S6] a cancelled question rejects, and a late answer changes nothing", async () => {
    const stop = new AbortController();
    const late: Mouth = { ask: async () => new Promise((resolve) => void setTimeout(() => resolve({ answer: "allow", by: "late" }), 20)) };
    const asked = askMouths([late], REQUEST, stop.signal);
    stop.abort(new Error("cancelled"));
    await expect(asked).rejects.toThrow("cancelled");
  });

  test("[K3] a file of answers goes by tool in any spelling, and by text in the input", async () => {
    const mouth = preparedMouth(
      [
        { tool: "bash", match: "install", answer: "deny", text: "not today" },
        { tool: "developer__shell", match: "make", answer: "always" },
      ],
      "answers.json",
    );
    expect(await mouth.ask(REQUEST, signal())).toEqual({ answer: "always", by: "answers.json" });
    expect(await mouth.ask({ ...REQUEST, input: { command: "make install" } }, signal())).toEqual({ answer: "deny", by: "answers.json", text: "not today" });
    expect(await mouth.ask({ ...REQUEST, tool: "Write" }, signal())).toBeUndefined();
  });
});
