import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../src/dialects/index.ts";
import type { Hook } from "../../src/model/hook.ts";
import { hookFor } from "../../src/testing/index.ts";
import { contentOf, type Content } from "../../src/trust/content.ts";
import { hookEntry } from "../../src/trust/entry.ts";
import { FileReader } from "../../src/trust/files.ts";
import { hashOf } from "../../src/trust/trust.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const where = (root: string) => ({ root, home: join(root, "home"), env: { PATH: "/usr/bin:/bin" }, user: process.geteuid?.() });
const command = (text: string, changes: Partial<Hook> = {}): Hook =>
  hookFor(DIALECTS.lime, "PreToolUse", { name: text, action: { type: "command", launch: "sh -c", command: text, args: null }, ...changes });
const contentIn = (root: string, hook: Hook): Content => contentOf(hookEntry(hook, where(root)), { where: where(root), cwd: root, reader: new FileReader() });
const filesOf = (files: { readonly [path: string]: string }, hook: Hook): readonly string[] => {
  const root = tempFolder();
  writeFiles(root, files);
  return contentIn(root, hook).files.map(({ path }) => path);
};

describe("the content hash", () => {
  test("hashOf names what a hook is, whatever its layer", () => {
    const root = tempFolder();
    writeFiles(root, { "a.sh": "#!/bin/sh\n" });
    const hook = command("./a.sh");
    const before = hashOf(hook, where(root));
    expect(before).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(hashOf({ ...hook, layer: "user", source: { file: "/x", line: 9, column: 9 } }, where(root))).toBe(before);
    writeFiles(root, { "a.sh": "#!/bin/sh\n\n" });
    expect(hashOf(hook, where(root))).not.toBe(before);
  });

  test("covers every part of the entry", () => {
    const root = tempFolder();
    const hook = command("true");
    const variants: readonly Partial<Hook>[] = [
      {},
      { name: "other" },
      { dialect: "claw" },
      { wireName: "PostToolUse" },
      { matcher: { kind: "names", names: ["Bash"] } },
      { matcher: { kind: "pattern", text: "Bash.*", test: () => true } },
      { condition: "Bash(git *)" },
      { action: { type: "command", launch: "sh -lc", command: "true", args: null } },
      { action: { type: "command", launch: "argv", command: "true", args: ["true", "x"] } },
      { action: { type: "http", url: "http://127.0.0.1/", headers: {}, allowedEnv: [], secret: null, refused: null, allowPrivate: false } },
      { action: { type: "http", url: "http://127.0.0.1/", headers: { A: "$TOKEN" }, allowedEnv: ["TOKEN"], secret: null, refused: null, allowPrivate: false } },
      { action: { type: "prompt", prompt: "ok?", model: null } },
      { timeoutMs: 1 },
      { onFault: "deny" },
      { once: true },
      { async: true },
      { env: { A: "b" } },
      { plugin: { root: join(root, "p"), name: "p" } },
    ];
    const hashes = variants.map((changes) => hashOf({ ...hook, ...changes }, where(root)));
    expect(new Set(hashes).size).toBe(variants.length);
  });

  test.each<[what: string, hook: Hook, files: { readonly [path: string]: string }, covered: readonly string[]]>([
    ["a script and what it sources", command("sh a.sh"), { "a.sh": ". ./b.sh\nsource c.sh\n", "b.sh": "", "c.sh": "", "d.sh": "" }, ["a.sh", "b.sh", "c.sh"]],
    ["what stands beside a script", command("./h/a.sh"), { "h/a.sh": '#!/bin/bash\n. "$(dirname "$0")/b.sh"\n"${BASH_SOURCE%/*}/c.sh"\n', "h/b.sh": "", "h/c.sh": "#!/bin/sh\n" }, ["h/a.sh", "h/b.sh", "h/c.sh"]],
    ["a script that starts scripts", command("./a.sh"), { "a.sh": "#!/bin/sh\nexec python3 tools/check.py \"$@\" > out.sh\n", "tools/check.py": "import rules\n", "tools/rules.py": "", "out.sh": "" }, ["a.sh", "tools/check.py", "tools/rules.py"]],
    ["modules", command("node h/a.mjs"), { "h/a.mjs": 'import x from "./b.mjs";\nimport("./c.js");\n', "h/b.mjs": 'require("../d")\n', "h/c.js": "", "d.js": "" }, ["d.js", "h/a.mjs", "h/b.mjs", "h/c.js"]],
    ["a folder as a program", command("node ./hooks"), { "hooks/package.json": "{}", "hooks/index.js": "" }, ["hooks/index.js", "hooks/package.json"]],
    ["files by a pattern", command("cat hooks/*.sh | sh"), { "hooks/a.sh": "", "hooks/b.sh": "", "hooks/c.txt": "" }, ["hooks/a.sh", "hooks/b.sh"]],
    ["a file that an argument names", command("./run --config=conf/x.json <in.txt >out.txt"), { run: "#!/bin/sh\n", "conf/x.json": "", "in.txt": "", "out.txt": "" }, ["conf/x.json", "in.txt", "run"]],
    ["the file behind a task", command("npm run guard"), { "package.json": "{}" }, ["package.json"]],
  ])("covers %s", (_what, hook, files, covered) => {
    expect(filesOf(files, hook)).toEqual(covered);
  }); // prettier-ignore

  test("covers the module of a callback, and the files of a plugin by its folder", () => {
    const root = tempFolder();
    writeFiles(root, { "callbacks.mjs": 'export * from "./more.mjs";\n', "more.mjs": "", "p/x.sh": "#!/bin/sh\n" });
    const callback: Hook = command("x", { action: { type: "callback", callback: "x", module: join(root, "callbacks.mjs") } });
    expect(contentIn(root, callback).files.map(({ path }) => path)).toEqual(["callbacks.mjs", "more.mjs"]);
    const module: Hook = command("x", { action: { type: "module", module: join(root, "callbacks.mjs"), worker: { idleMs: 1 } } });
    expect(contentIn(root, module).files.map(({ path }) => path)).toEqual(["callbacks.mjs", "more.mjs"]);
    const plugin = command("${CLAUDE_PLUGIN_ROOT}/x.sh", { plugin: { root: join(root, "p"), name: "p" } });
    expect(contentIn(root, plugin).files.map(({ path }) => path)).toEqual(["p/x.sh"]);
  });

  test("covers where programs are found, and not the bytes of the system's", () => {
    const root = tempFolder();
    writeFiles(root, { "a.sh": "#!/usr/bin/env sh\n", "bin/tool": "#!/bin/sh\n" });
    const hook = command("./a.sh && tool");
    const content = contentIn(root, hook);
    expect(content.programs.map(({ name }) => name)).toEqual(expect.arrayContaining(["sh"]));
    expect(content.files.map(({ path }) => path)).toEqual(["a.sh"]);
    const shadowed = { ...where(root), env: { PATH: `${root}/bin:/usr/bin:/bin` } };
    expect(hashOf(hook, shadowed)).not.toBe(content.hash);
    expect(contentOf(hookEntry(hook, shadowed), { where: shadowed, cwd: root, reader: new FileReader() }).files.map(({ path }) => path)).toEqual([
      "a.sh",
      "bin/tool",
    ]);
  });

  test("is the same in a clone elsewhere, as far as the folder goes", () => {
    const files = { "a.sh": "#!/bin/sh\n. ./b.sh\n", "b.sh": "" };
    const hashes = [0, 1].map(() => {
      const root = tempFolder();
      writeFiles(root, files);
      return contentIn(root, command("./a.sh")).hash;
    });
    expect(hashes[0]).toBe(hashes[1]);
  });

  test("what is no file, too large or too much is refused or said", () => {
    const root = tempFolder();
    writeFiles(root, {
      "many.sh": Array.from({ length: 300 }, (_, index) => `. ./l${index}.sh\n`).join(""),
      ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`l${index}.sh`, "x"])),
    });
    expect(contentIn(root, command("sh many.sh")).refused).toBe("it names more than 256 files");
    expect(contentIn(root, command("./gone.sh")).missing).toEqual(["./gone.sh"]);
    expect(contentIn(root, command('sh "$1/x.sh"')).open).toEqual(["…/x.sh"]);
    expect(contentIn(root, command(Array.from({ length: 2_100 }, (_, index) => `w${index}`).join(" "))).refused).toContain("words");
  });
});
