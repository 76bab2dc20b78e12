import { expect, test } from "vitest";
import { DIALECT_LIST } from "../../src/dialects/index.ts";
import type { Launch } from "../../src/model/hook.ts";
import { launchOf } from "../../src/runners/launch.ts";

const action = (launch: Launch, args: readonly string[] | null = null) => ({ type: "command", launch, command: "echo $A && b", args }) as const;

test.each([
  ["sh -c", "posix", "/bin/sh", ["-c", "echo $A && b"], false],
  ["sh -lc", "posix", "/bin/sh", ["-lc", "echo $A && b"], true],
  ["sh -c", "windows", "cmd.exe", ["/d", "/s", "/C", "echo $A && b"], false],
  ["sh -lc", "windows", "cmd.exe", ["/d", "/s", "/C", "echo $A && b"], false],
] as const)("%s on %s", (launch, platform, file, args, login) => {
  expect(launchOf(action(launch), platform)).toEqual({ file, args, login });
});

test.each(["posix", "windows"] as const)("argv on %s: no shell, the words as they are", (platform) => {
  expect(launchOf(action("argv", ["prog", "a b", "$X"]), platform)).toEqual({ file: "prog", args: ["a b", "$X"], login: false });
});

test("each dialect launches as its seed says", () => {
  expect(Object.fromEntries(DIALECT_LIST.map(({ id, launch }) => [id, launch]))).toEqual({
    lime: "sh -c",
    claw: "sh -lc",
    mains: "sh -c",
    robota: "sh -c",
    goose: "argv",
    "claude-code": "sh -c",
    snaphook: "sh -c",
  });
});
