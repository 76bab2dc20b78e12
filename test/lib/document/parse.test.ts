import { describe, expect, test } from "vitest";
import { entryOf, plainValue, type DocNode } from "../../../src/lib/document/node.ts";
import { formatOf, parseDocument, type Format } from "../../../src/lib/document/parse.ts";

async function parsed(text: string, format: Format): Promise<DocNode> {
  const document = await parseDocument(text, format);
  if (document.kind === "broken") throw new TypeError(document.message);
  return document.root;
}

/** The node at a path of keys and indexes. */
function at(root: DocNode, ...path: readonly (string | number)[]): DocNode | undefined {
  return path.reduce<DocNode | undefined>((node, step) => {
    if (typeof step === "string") return node && entryOf(node, step)?.value;
    return node?.kind === "list" ? node.items[step] : undefined;
  }, root);
}

const DOCUMENTS: { readonly [format in Format]: string } = {
  json: '// comment\n{\n  "hooks": {\n    "Stop": [\n      "one",\n      { "command": "two", },\n    ],\n  },\n}\n',
  yaml: "# comment\nhooks:\n  Stop:\n    - one\n    - command: two\n",
  toml: '# comment\n[[hooks.Stop]]\ncommand = "one"\n\n[[hooks.Stop]]\nname = "x"\ncommand = "two"\n',
};

describe("places [F3]", () => {
  test("json", async () => {
    const root = await parsed(DOCUMENTS.json, "json");
    expect(at(root, "hooks", "Stop", 0)?.at).toEqual({ line: 5, column: 7 });
    expect(at(root, "hooks", "Stop", 1, "command")?.at).toEqual({ line: 6, column: 20 });
    expect(entryOf(root, "hooks")?.at).toEqual({ line: 3, column: 3 });
  });

  test("yaml", async () => {
    const root = await parsed(DOCUMENTS.yaml, "yaml");
    expect(at(root, "hooks", "Stop", 0)?.at).toEqual({ line: 4, column: 7 });
    expect(at(root, "hooks", "Stop", 1, "command")?.at).toEqual({ line: 5, column: 16 });
  });

  test("toml", async () => {
    const root = await parsed(DOCUMENTS.toml, "toml");
    expect(at(root, "hooks", "Stop", 0, "command")?.at).toEqual({ line: 3, column: 1 });
    expect(at(root, "hooks", "Stop", 1)?.at).toEqual({ line: 5, column: 1 });
    expect(at(root, "hooks", "Stop", 1, "command")?.at).toEqual({ line: 7, column: 1 });
  });

  test.each(["json", "yaml"] as const)("a byte order mark and CRLF move nothing in %s", async (format) => {
    const unix = await parsed(DOCUMENTS[format], format);
    const dos = await parsed(`\uFEFF${DOCUMENTS[format].replaceAll("\n", "\r\n")}`, format);
    expect(dos).toEqual(unix);
  });

  test("toml with a byte order mark and CRLF", async () => {
    const dos = await parsed(`\uFEFF${DOCUMENTS.toml.replaceAll("\n", "\r\n")}`, "toml");
    expect(dos).toEqual(await parsed(DOCUMENTS.toml, "toml"));
  });
});

describe("values", () => {
  test("of a key that stands twice the last counts, and both are kept for whoever looks", async () => {
    const root = await parsed('{"a":1,"a":2}', "json");
    expect(plainValue(root)).toEqual({ a: 2 });
    expect(root.kind === "object" && root.entries.length).toBe(2);
  });

  test("__proto__ is a key like any other", async () => {
    expect(Object.keys(Object(plainValue(await parsed('{"__proto__":1}', "json"))))).toEqual(["__proto__"]);
  });

  test("yaml anchors, aliases and merge keys", async () => {
    const text = "base: &b\n  timeout: 5\nhooks:\n  - <<: *b\n    command: x\n  - *b\n";
    expect(plainValue(await parsed(text, "yaml"))).toEqual({ base: { timeout: 5 }, hooks: [{ timeout: 5, command: "x" }, { timeout: 5 }] });
  });

  test("a yaml mapping's own key counts more than a merged one, wherever the merge stands", async () => {
    const text = "base: &b { timeout: 5 }\nhook:\n  timeout: 9\n  <<: *b\n";
    expect(plainValue(await parsed(text, "yaml"))).toMatchObject({ hook: { timeout: 9 } });
  });

  test("an empty yaml file is an empty object", async () => {
    expect(plainValue(await parsed("# nothing\n", "yaml"))).toEqual({});
  });

  test("toml: inline tables, dotted keys, multi-line texts, dates", async () => {
    const text = 'a.b = 1\nlist = [{ x = "y" }, { x = "z" }]\ntext = """\n[no.header]\nkey = 1\n"""\nday = 2026-01-02T03:04:05Z\n';
    expect(plainValue(await parsed(text, "toml"))).toMatchObject({
      a: { b: 1 },
      list: [{ x: "y" }, { x: "z" }],
      text: "[no.header]\nkey = 1\n",
      day: expect.stringContaining("2026-01-02T03:04:05"),
    });
  });
});

describe("broken documents say where", () => {
  test.each<[Format, string, { line: number; column: number }]>([
    ["json", '{\n  "a": }', { line: 2, column: 8 }],
    ["json", "", { line: 1, column: 1 }],
    ["yaml", "a: [1,\nb: }", { line: 2, column: 1 }],
    ["toml", "a = 1\nb = ", { line: 2, column: 5 }],
  ])("%s %j", async (format, text, place) => {
    expect(await parseDocument(text, format)).toMatchObject({ kind: "broken", at: place, message: expect.stringMatching(/./) });
  });
});

describe("bounds", () => {
  test("json nested too deep is refused, not a stack overflow", async () => {
    expect(await parseDocument("[".repeat(100_000), "json")).toMatchObject({ kind: "broken", message: "it is nested deeper than 256 levels" });
  });

  test("yaml that unfolds without end is refused", async () => {
    const lines = ["a0: &a0 [x, x]", ...Array.from({ length: 30 }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]`)];
    expect(await parseDocument(lines.join("\n"), "yaml")).toMatchObject({ kind: "broken" });
  });
});

test.each([
  ["settings.json", "json"],
  ["a/b.YAML", "yaml"],
  ["x.yml", "yaml"],
  ["x.toml", "toml"],
  ["x.jsonc", "json"],
  ["no-ending", "json"],
  ["x.constructor", "json"],
])("%s is read as %s", (path, format) => {
  expect(formatOf(path)).toBe(format);
});
