import { closeSync, existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stdinFile } from "../../src/lib/stdin-file.ts";
import { tempFolder } from "../support/temp.ts";

const nextTurn = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function readBack(text: string): string {
  const file = stdinFile(text, tempFolder());
  const reader = file.reader();
  try {
    return readFileSync(reader, "utf8");
  } finally {
    closeSync(reader);
    file.close();
  }
}

test("a large text arrives as it is, wherever its characters are cut into pieces", () => {
  for (const before of [65_534, 65_535, 65_536, 131_070, 131_071]) {
    const text = `${"é".repeat(before)}😀${"x".repeat(70_000)}😀`;
    expect(readBack(text) === text).toBe(true);
  }
});

test.runIf(process.platform === "linux")("a large file is kept from one program to the next, and no longer", async () => {
  const folder = tempFolder();
  const text = "x".repeat(100_000);
  const first = stdinFile(text, folder);
  const { path } = first;
  first.close();
  const second = stdinFile(text, folder);
  expect(second.path).toBe(path);
  await nextTurn();
  expect(existsSync(path)).toBe(true);
  second.close();
  await nextTurn();
  expect(existsSync(path)).toBe(false);
});
