import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { ENV_LIMIT_BYTES, fitEnv } from "../../src/runners/oversized-env.ts";
import { tempFolder } from "../support/temp.ts";

test("[F6] a value at the limit stays, one byte more goes to a file", () => {
  const folder = tempFolder();
  const exact = "x".repeat(ENV_LIMIT_BYTES);
  expect(fitEnv({ EXACT: exact }, folder)).toMatchObject({ env: { EXACT: exact }, stubbed: [] });
  expect(readdirSync(folder)).toEqual([]);
  expect(fitEnv({ OVER: `${exact}x` }, folder).stubbed).toEqual(["OVER"]);
});

test("[F6] bytes count, not characters", () => {
  expect(fitEnv({ WIDE: "é".repeat(ENV_LIMIT_BYTES / 2 + 1) }, tempFolder()).stubbed).toEqual(["WIDE"]);
});

test("[F6] the stub is small valid JSON, the file holds all of it for its owner alone, and is removed", () => {
  const folder = tempFolder();
  const value = JSON.stringify({ command: "x".repeat(200_000) });
  const fitted = fitEnv({ HOOK_TOOL_INPUT: value, SMALL: "s" }, folder);
  const file = fitted.env["HOOK_TOOL_INPUT_FILE"] ?? "";
  expect(fitted.env["SMALL"]).toBe("s");
  expect(JSON.parse(fitted.env["HOOK_TOOL_INPUT"] ?? "")).toEqual({
    snaphook: "too large for a variable: read stdin, or the file",
    bytes: Buffer.byteLength(value),
    file,
  });
  expect(readFileSync(file, "utf8")).toBe(value);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  fitted.clean();
  expect(existsSync(file)).toBe(false);
});

test("[F6] a value with a NUL, which no variable holds, goes to a file as well", () => {
  const fitted = fitEnv({ HOOK_TOOL_OUTPUT: "a\0b", SMALL: "s" }, tempFolder());
  expect(fitted.stubbed).toEqual(["HOOK_TOOL_OUTPUT"]);
  expect(readFileSync(fitted.env["HOOK_TOOL_OUTPUT_FILE"] ?? "", "utf8")).toBe("a\0b");
  expect(JSON.parse(fitted.env["HOOK_TOOL_OUTPUT"] ?? "")).toMatchObject({ snaphook: "a variable holds no NUL: read stdin, or the file" });
});
