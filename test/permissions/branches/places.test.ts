import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { evaluate } from "../../../src/permissions/evaluate.ts";
import { diskFiles } from "../../../src/permissions/file-view-disk.ts";
import { noFiles, symlinkMap } from "../../../src/permissions/file-view.ts";
import { inProject, placedPaths } from "../../../src/permissions/placement.ts";
import { isInside, normalise, resolvePath } from "../../../src/permissions/paths.ts";
import { compilePolicy } from "../../../src/permissions/rules.ts";
import type { FileView, Scene } from "../../../src/permissions/scene.ts";
import { SCENE, rulesOf, shell } from "../scenes.ts";

function forms(path: string, scene: Partial<Scene> = {}): readonly string[] | undefined {
  return resolvePath(path, { ...SCENE, ...scene })?.forms;
}

describe("paths", () => {
  test.each<[string, readonly string[] | undefined]>([
    ["/a/b", ["/a/b"]],
    ["a/.env", ["/srv/proj/a/.env"]],
    ["./a", ["/srv/proj/a"]],
    ["a/../b", ["/srv/proj/b"]],
    ["a//b/", ["/srv/proj/a/b"]],
    ["/", ["/"]],
    ["..", ["/srv"]],
    ["/..", ["/"]],
    ["~", ["/home/dev"]],
    ["~/a", ["/home/dev/a"]],
    ["~root/a", ["/srv/proj/~root/a"]],
    ["/proc/self/root/etc/x", ["/etc/x"]],
    ["/proc/1/task/2/root/a", ["/a"]],
    ["/proc/self/cwd/a", ["/srv/proj/a"]],
    ["/proc/self/cwd", ["/srv/proj"]],
    ["/dev/fd/3", ["/dev/fd/3"]],
    ["/dev/null", ["/dev/null"]],
    ["", undefined],
    ["a\0", undefined],
  ])("[A5] %j is %j", (path, expected) => expect(forms(path)).toEqual(expected));

  test("[A5] open files and other users' homes are not certain", () => {
    expect(["/dev/fd/3", "/proc/9/fd/1", "~root/a", "/a"].map((path) => resolvePath(path, SCENE)?.certain)).toEqual([false, false, false, true]);
  });
  test("[A5] links are followed before and behind `..`, as kernel and text see them", () => {
    const files = symlinkMap({ "/srv/proj/link": "/etc/deep", "/srv/proj/near": "a/b", "/loop": "/pool", "/pool": "/loop", "/self": "." });
    expect(resolvePath("link/x", { ...SCENE, files })).toEqual({ forms: ["/srv/proj/link/x", "/etc/deep/x"], real: ["/etc/deep/x"], certain: true });
    expect(resolvePath("link", { ...SCENE, files })).toEqual({ forms: ["/srv/proj/link", "/etc/deep"], real: ["/etc/deep"], certain: true });
    expect(resolvePath("near/x", { ...SCENE, files })?.real).toEqual(["/srv/proj/a/b/x"]);
    expect(resolvePath("./link/x", { ...SCENE, files })?.real).toEqual(["/etc/deep/x"]);
    expect(resolvePath("link/../x", { ...SCENE, files })).toEqual({ forms: ["/srv/proj/x", "/etc/x"], real: ["/srv/proj/x", "/etc/x"], certain: true });
    expect(resolvePath("/self/self/a", { ...SCENE, files })?.real).toEqual(["/a"]);
    for (const path of ["/loop/x", "/loop", "/a/../loop/x", "/loop/../x"]) expect(resolvePath(path, { ...SCENE, files })?.certain).toBe(false);
  });
  test.each<[string, readonly string[]]>([
    ["C:\\a\\..\\b", ["/c:/b"]],
    ["\\\\?\\C:\\a", ["/c:/a"]],
    ["a. /b:stream", ["/srv/proj/a/b"]],
    [".\\x", ["/srv/proj/x"]],
  ])("[A5] on Windows %j is %j", (path, expected) => expect(forms(path, { platform: "windows" })).toEqual(expected));
  test("[A5] whole names are compared", () => {
    expect([isInside("/a", "/a"), isInside("/a/b", "/a"), isInside("/ab", "/a"), isInside("/a", "/")]).toEqual([true, true, false, true]);
    expect(normalise("/a/./b//../c/")).toBe("/a/c");
  });
});

describe("the places of rules", () => {
  const read = (path: string, lists: Parameters<typeof rulesOf>[0], scene: Partial<Scene> = {}): string =>
    evaluate({ name: "Read", input: { file_path: path } }, compilePolicy(rulesOf(lists)), { ...SCENE, ...scene }).verdict;
  const write = (path: string, lists: Parameters<typeof rulesOf>[0], scene: Partial<Scene> = {}): string =>
    evaluate({ name: "Write", input: { file_path: path } }, compilePolicy(rulesOf(lists)), { ...SCENE, ...scene }).verdict;

  test("[A5] two policies in turn keep their places", () => {
    const [one, other] = ["vault/**", "keys/**"].map((path) => compilePolicy(rulesOf({ deny: [`Read(${path})`] })).tables[0]);
    if (one === undefined || other === undefined) throw new Error("A policy has at least one table.");
    const places = [placedPaths(one, SCENE), placedPaths(other, SCENE)];
    expect(places[0]).not.toBe(places[1]);
    expect(placedPaths(one, SCENE)).toBe(places[0]);
    expect(placedPaths(other, SCENE)).toBe(places[1]);
  });
  test("[A5] rules are placed once for a root, home, platform and what links say, whatever object says it", () => {
    const [table] = compilePolicy(rulesOf({ deny: ["Read(vault/**)", "Read(~/x)"] })).tables;
    if (table === undefined) throw new Error("no table");
    const first = placedPaths(table, SCENE);
    expect(placedPaths(table, SCENE)).toBe(first);
    expect(placedPaths(table, { ...SCENE, mode: "plan" })).toBe(first);
    expect(placedPaths(table, { ...SCENE, files: symlinkMap({ "/elsewhere": "/x" }) })).toBe(first);
    const linked = placedPaths(table, { ...SCENE, files: symlinkMap({ "/srv/proj/vault": "/secrets" }) });
    expect(linked).not.toBe(first);
    expect(placedPaths(table, { ...SCENE, files: symlinkMap({ "/srv/proj/vault": "/secrets" }) })).toBe(linked);
    expect(placedPaths(table, { ...SCENE, files: symlinkMap({ "/srv/proj/vault": "/other" }) })).not.toBe(linked);
    for (const other of [{ root: "/r" }, { home: "/h" }, { platform: "windows" as const }])
      expect(placedPaths(table, { ...SCENE, ...other })).not.toBe(placedPaths(table, SCENE));
  });
  test("[A5] a link made later is seen by the next look at the disk", () => {
    const policy = compilePolicy(rulesOf({ deny: ["Read(vault/**)"] }));
    const verdict = (files: FileView): string => evaluate({ name: "Read", input: { file_path: "/secrets/a" } }, policy, { ...SCENE, files }).verdict;
    expect([verdict(noFiles), verdict(symlinkMap({ "/srv/proj/vault": "/secrets" })), verdict(noFiles)]).toEqual(["allow", "deny", "allow"]);
  });
  test("[A5] an allow needs every place a path may lead to", () => {
    const files = symlinkMap({ "/srv/proj/link": "/etc/deep" });
    expect(write("link/../x", { allow: ["Write(/srv/proj/**)"] }, { files })).toBe("ask");
    expect(write("link/../x", { allow: ["Write(/srv/proj/**)", "Write(/etc/**)"] }, { files })).toBe("ask");
    expect(write("link/../x", { allow: ["Write(/srv/proj/**)", "Write(/**/x)"] }, { files })).toBe("allow");
  });
  test("[A5] reserved characters in a path never match the names of an allow", () => {
    expect(["a\uFDD0", "a\uFDD1", "a\uFDD2"].map((path) => write(path, { allow: ["Write(a*)"] }))).toEqual(["ask", "ask", "ask"]);
  });
  test("[A5] a deny of `**/x` means x wherever it is, an allow only in the project", () => {
    expect([read("/other/x", { deny: ["Read(**/x)"] }), write("/other/x", { allow: ["Write(**/x)"] }), write("a/x", { allow: ["Write(**/x)"] })]).toEqual([
      "deny",
      "ask",
      "allow",
    ]);
  });
  test("[A5] `*` and `**` alone mean every file to a deny and an ask", () => {
    expect([read("/a", { deny: ["Read(**)"] }), read("/a", { ask: ["Read(**/*)"] }), write("/other", { allow: ["Write(**)"] })]).toEqual([
      "deny",
      "ask",
      "allow",
    ]);
  });
  test("[A5] a disk that folds case folds it for denies, never for allows", () => {
    const scene = { platform: "case-insensitive" } as const;
    expect([
      read("SECRET/X.KEY", { deny: ["Read(secret/*.key)"] }, scene),
      read("A/B/.ENV", { deny: ["Read(**/.env)"] }, scene),
      write("SRC/a", { allow: ["Write(src/*)"] }, scene),
      write("src/a", { allow: ["Write(src/*)"] }, scene),
    ]).toEqual(["deny", "deny", "ask", "allow"]);
  });
  test("[A5] a pattern that can't be a path matches nothing and harms nobody", () => {
    expect(read("/a", { deny: ["Read(/a\0b)", "Read(/b)"] })).toBe("allow");
  });
  test("[A5] a call without a usable path may mean any file", () => {
    const policy = compilePolicy(rulesOf({ deny: ["Read(/a)"] }));
    for (const input of [{ file_path: "" }, { file_path: 7 }, {}])
      expect(evaluate({ name: "read", input }, policy, { ...SCENE, mode: "bypassPermissions" })).toMatchObject({ verdict: "ask", step: "unresolved-deny" });
    expect(evaluate({ name: "Read", input: { file_path: "/dev/fd/3" } }, policy, SCENE)).toMatchObject({
      verdict: "ask",
      doubts: [{ construct: "a path that can't be resolved" }],
    });
    expect(evaluate({ name: "Write", input: { file_path: "/dev/fd/3" } }, compilePolicy(rulesOf({ allow: ["Write(/**)"] })), SCENE).verdict).toBe("ask");
  });
  test("[A5] a search without a folder is one of the working folder", () => {
    const policy = compilePolicy(rulesOf({ deny: ["Grep(/srv/proj/**)"] }));
    expect([
      evaluate({ name: "Grep", input: { pattern: "x" } }, policy, SCENE).verdict,
      evaluate({ name: "Grep", input: { pattern: "x", path: "/tmp" } }, policy, SCENE).verdict,
    ]).toEqual(["deny", "allow"]);
  });
  test("[A5] the project is its root and what is below, links followed", () => {
    const files = symlinkMap({ "/srv/proj/out": "/etc", "/mnt/linked": "/srv/proj" });
    expect(["/srv/proj/a", "/srv/proj", "/srv/projx", "/srv/proj/out/a", "/mnt/linked/a", ""].map((path) => inProject(path, { ...SCENE, files }))).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(inProject("/srv/proj/a", { ...SCENE, root: "" })).toBe(false);
  });
});

describe("places of the shell", () => {
  const deny = { deny: ["Read(/etc/secret)", "Read(~/key)", "Read(/srv/proj/sub/x)", "Read(**/.env)"] };
  test.each<[string, string]>([
    ["cd /etc && cat secret", "deny"],
    ["cd && cat key", "deny"],
    ["cd ~ && cat key", "deny"],
    ["cd ~/a/.. && cat key", "deny"],
    ["cd -L sub && cat x", "deny"],
    ["cd sub; cat x", "ask"],
    ["cd sub && cat x", "deny"],
    ["cd sub || true; cat x", "ask"],
    ["if true; then cd sub; fi; cat x", "ask"],
    ["(cd sub); cat x", "allow"],
    ["cd sub & cat x", "allow"],
    ["cd -; cat x", "ask"],
    ["cd $D; cat x", "ask"],
    ["cd a b; cat x", "ask"],
    ["pushd sub; cat x", "ask"],
    ["command cd sub; cat x", "ask"],
    ["eval 'cd sub'; cat x", "ask"],
    ["cat '~/key'", "allow"],
    ["cat ~/key", "deny"],
    ["cat $X/../etc/secret", "ask"],
    [`${"cd a && ".repeat(63)}cat y`, "allow"],
    [`${"cd a && ".repeat(66)}cat y`, "ask"],
    ["eval 'command cd sub'; cat x", "ask"],
    ["sh -c 'cd sub'; cat x", "allow"],
    ["c\\d sub && cat x", "deny"],
    [`${"cd a || true; ".repeat(6)}cat x`, "ask"],
    ["frobnicate --file=.env", "ask"],
    ["frobnicate @.env", "ask"],
    ["frobnicate -v .env", "ask"],
    ["frobnicate -v --x", "allow"],
    ["frobnicate /dev/null", "allow"],
    ["cd $X; frobnicate .env", "ask"],
  ])("[A5] `%s` is %s", (command, verdict) => expect(shell(command, deny, { mode: "bypassPermissions" }).verdict).toBe(verdict));
});

describe("the real disk", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "snaphook-view-")));
  afterAll(() => rmSync(folder, { recursive: true }));
  test("[A5] tells links from files, and from what is not there or can't be looked at", () => {
    writeFileSync(join(folder, "file"), "");
    symlinkSync("file", join(folder, "link"));
    symlinkSync("/nowhere", join(folder, "broken"));
    const files = diskFiles();
    expect(["link", "broken", "file", "none", "file/below", "nul\0"].map((name) => files.readLink(join(folder, name)))).toEqual([
      "file",
      "/nowhere",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(resolvePath(join(folder, "link"), { ...SCENE, files: diskFiles() })?.real).toEqual([join(folder, "file")]);
  });

  test("what can't be looked at may be a link: the path is not certain, and a name that no file can have is none", () => {
    symlinkSync("loop", join(folder, "loop"));
    expect(diskFiles().readLink(join(folder, "loop", "x"))).toBe(join(folder, "loop", "x"));
    expect(diskFiles().readLink(join(folder, "n".repeat(300)))).toBeUndefined();
    expect(resolvePath("/a/b", { ...SCENE, files: { readLink: (path) => path } })?.certain).toBe(false);
  });
  test("[A5] /proc/self is the process that asked, where another one judges for it", () => {
    const links = ["/proc/self", "/proc/thread-self", "/proc/self/none"];
    expect(links.map((path) => diskFiles(4_711).readLink(path))).toEqual(["4711", "4711/task/4711", undefined]);
    expect(links.map((path) => diskFiles().readLink(path))).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+\/task\/\d+$/), undefined]);
  });
});
