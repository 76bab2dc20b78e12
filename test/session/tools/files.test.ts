import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { READ_LIMIT_BYTES } from "../../../src/session/tools/read.ts";
import { writeFiles } from "../../support/temp.ts";
import { bench, fine, wrong } from "./context.ts";

describe("[S2] [W8] Read", () => {
  test("gives the text exactly as it stands in the file", async () => {
    const { run, folder } = bench();
    writeFiles(folder, { "a.txt": "one\r\n\ttwo ä\n\n" });
    expect(await run("Read", { file_path: "a.txt" })).toEqual(fine("one\r\n\ttwo ä\n\n"));
    expect(await run("Read", { file_path: join(folder, "a.txt") })).toEqual(fine("one\r\n\ttwo ä\n\n"));
    expect(await run("Read", { file_path: "~/a.txt" })).toEqual(fine("one\r\n\ttwo ä\n\n"));
  });

  test.each([
    [{ offset: 1, limit: 1 }, fine("1\n\n(lines 1 to 1; the file goes on; read on with offset 2)")],
    [{ offset: 2, limit: 2 }, fine("2\n3\n\n(lines 2 to 3; the file goes on; read on with offset 4)")],
    [{ offset: 3 }, fine("3\n4")],
    [{ offset: 3, limit: 2 }, fine("3\n4")],
    [{ offset: 0, limit: 9 }, fine("1\n2\n3\n4")],
    [{ offset: 5 }, wrong("a.txt has only 4 lines; offset 5 is beyond them")],
  ])("by lines: %j", async (part, outcome) => {
    const { run, folder } = bench();
    writeFiles(folder, { "a.txt": "1\n2\n3\n4" });
    expect(await run("Read", { file_path: "a.txt", ...part })).toEqual(outcome);
  });

  test("what can't be read is said plainly", async () => {
    const { run, folder } = bench();
    writeFiles(folder, { "empty.txt": "", "binary.bin": "a\0b", "sub/x": "x" });
    expect(await run("Read", { file_path: "nope.txt" })).toEqual(wrong(`${join(folder, "nope.txt")} does not exist`));
    expect(await run("Read", { file_path: "sub/x/y" })).toEqual(wrong(`${join(folder, "sub/x/y")} lies below something that is not a folder`));
    expect(await run("Read", { file_path: "sub" })).toEqual(wrong("sub is a folder; use Glob or Bash to see what is in it"));
    expect(await run("Read", { file_path: "binary.bin" })).toEqual(wrong("binary.bin is a binary file (3 bytes), which Read can't show"));
    expect(await run("Read", { file_path: "/dev/zero" })).toEqual(wrong("/dev/zero is not a regular file"));
    expect(await run("Read", { file_path: "empty.txt" })).toEqual(fine("(the file is empty)"));
    expect((await run("Read", { file_path: "a\0b" })).isError).toBe(true);
  });

  test("at the limit: the whole file; a byte above: cut at a whole character, with a note", async () => {
    const { run, folder } = bench();
    writeFileSync(join(folder, "fits"), "x".repeat(READ_LIMIT_BYTES));
    writeFileSync(join(folder, "over"), `${"x".repeat(READ_LIMIT_BYTES - 1)}ä`);
    expect((await run("Read", { file_path: "fits" })).output.length).toBe(READ_LIMIT_BYTES);
    expect((await run("Read", { file_path: "over" })).output.slice(READ_LIMIT_BYTES - 2)).toBe(
      `x\n\n(lines 1 to 1; only the first ${READ_LIMIT_BYTES} bytes of them are given; read on with offset 1)`,
    );
  });
});

describe("[S2] [W8] Write", () => {
  test("creates the file and the folders above it, and says so", async () => {
    const { run, folder } = bench();
    expect(await run("Write", { file_path: "a/b/c.txt", content: "ä\n" })).toEqual(fine("Created a/b/c.txt (3 bytes)."));
    expect(readFileSync(join(folder, "a/b/c.txt"), "utf8")).toBe("ä\n");
  });

  test("replaces a file, keeps its mode, and leaves nothing beside it", async () => {
    const { run, folder } = bench();
    writeFiles(folder, { "run.sh": "#!/bin/sh\n" });
    chmodSync(join(folder, "run.sh"), 0o751);
    expect(await run("Write", { file_path: "run.sh", content: "" })).toEqual(fine("Replaced run.sh (0 bytes)."));
    expect(statSync(join(folder, "run.sh")).mode & 0o7777).toBe(0o751);
    expect(readdirSync(folder)).toEqual(["run.sh"]);
  });

  test("follows a link, also one that leads nowhere yet", async () => {
    const { run, folder } = bench();
    writeFiles(folder, { "real.txt": "old" });
    symlinkSync("real.txt", join(folder, "link.txt"));
    symlinkSync("new.txt", join(folder, "loose.txt"));
    await run("Write", { file_path: "link.txt", content: "new" });
    await run("Write", { file_path: "loose.txt", content: "made" });
    expect([
      lstatSync(join(folder, "link.txt")).isSymbolicLink(),
      readFileSync(join(folder, "real.txt"), "utf8"),
      readFileSync(join(folder, "new.txt"), "utf8"),
    ]).toEqual([true, "new", "made"]);
  });

  test("refuses folders and devices", async () => {
    const { run, folder } = bench();
    mkdirSync(join(folder, "sub"));
    writeFileSync(join(folder, "file"), "");
    expect(await run("Write", { file_path: "sub", content: "x" })).toEqual(wrong("sub is a folder, which Write can't replace"));
    expect(await run("Write", { file_path: "/dev/null", content: "x" })).toEqual(wrong("/dev/null is not a regular file, so it is not written"));
    expect((await run("Write", { file_path: "file/x", content: "x" })).isError).toBe(true);
  });

  test("[S6] a cancelled turn writes nothing", async () => {
    const { run, folder } = bench();
    await expect(run("Write", { file_path: "a.txt", content: "x" }, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(existsSync(join(folder, "a.txt"))).toBe(false);
  });
});

describe("[S2] [W8] Edit", () => {
  test.each([
    ["a b c", { old_string: "b", new_string: "$& $1 x" }, "a $& $1 x c"],
    ["a b b", { old_string: "b", new_string: "", replace_all: true }, "a  "],
    ["a\r\nb\r\n", { old_string: "a\nb", new_string: "c\nd" }, "c\r\nd\r\n"],
    ["a\r\nb\r\n", { old_string: "b", new_string: "b\nc" }, "a\r\nb\r\nc\r\n"],
    ["a\r\nb\nc", { old_string: "b", new_string: "x\ny" }, "a\r\nx\ny\nc"],
    ["\uFEFFa", { old_string: "a", new_string: "b" }, "\uFEFFb"],
  ])("%j with %j", async (before, change, after) => {
    const { run, folder } = bench();
    writeFiles(folder, { "a.txt": before });
    expect((await run("Edit", { file_path: "a.txt", ...change })).isError).toBe(false);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe(after);
  });

  test.each([
    [{ old_string: "x", new_string: "y" }, "old_string does not stand in a.txt; read the file and copy the text exactly"],
    [{ old_string: "aa", new_string: "y" }, "old_string stands in a.txt 2 times; give more of the text around it, or set replace_all"],
    [{ old_string: "a", new_string: "a" }, "old_string and new_string are the same, so there is nothing to change"],
    [{ old_string: "", new_string: "a" }, "old_string is empty"],
    [{ file_path: "b.txt", old_string: "a", new_string: "b" }, "b.txt does not exist; use Write to create it"],
    [{ file_path: ".", old_string: "a", new_string: "b" }, ". is a folder"],
    [{ file_path: "latin.txt", old_string: "a", new_string: "b" }, "latin.txt is not UTF-8 text, which Edit would spoil"],
  ])("refuses %j and changes nothing", async (input, message) => {
    const { run, folder } = bench();
    writeFiles(folder, { "a.txt": "aaa" });
    writeFileSync(join(folder, "latin.txt"), Buffer.from([0x61, 0xe4]));
    expect(await run("Edit", { file_path: "a.txt", ...input })).toEqual(wrong(message));
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("aaa");
  });

  test("says how many places it changed", async () => {
    const { run, folder } = bench();
    writeFiles(folder, { "a.txt": "b b" });
    expect(await run("Edit", { file_path: "a.txt", old_string: "b", new_string: "c", replace_all: true })).toEqual(fine("Replaced 2 places in a.txt."));
  });
});
