import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { judge, readCorpus } from "../permissions/corpus.ts";
import { ROOT } from "../support/places.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";
import { run, type Printed } from "./surface.ts";

const CORPUS = join(ROOT, "test/permissions/corpus/bypass.jsonl");

/** `check` with lines on stdin. */
async function checkLines(args: readonly string[], lines: readonly string[]): Promise<Printed> {
  let out = "";
  let err = "";
  const exit = await main(["check", ...args], {
    env: { HOME: "/nowhere" },
    cwd: tempFolder(),
    stdin: async () => lines.join("\n"),
    stdout: (text) => void (out += text),
    stderr: (text) => void (err += text),
    terminal: { isTerminal: false, columns: 80, colour: false },
    signal: new AbortController().signal,
    onInterrupt: () => {},
    lines: async function* () {
      yield* lines;
    },
    stdinIsTerminal: false,
  });
  return { exit, out, err };
}

interface Line {
  readonly id: unknown;
  readonly decision: string;
  readonly because: string;
}

function linesOf(out: string): readonly Line[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line): Line => JSON.parse(line));
}

describe("check of one call", () => {
  test.each([
    [["git status", "--allow", "Bash(git status:*)"], 0, "allow  Allowed by the allow rule Bash(git status:*).\n"],
    [["git status; ls", "--allow", "Bash(git status:*)"], 0, "ask  The mode default says ask for shell commands, and no rule decided.\n"],
    [["git push", "--allow", "Bash", "--deny", "Bash(git push:*)"], 2, "deny  Denied by the deny rule Bash(git push:*).\n"],
    [["git push", "--allow", "Bash", "--ask", "Bash(git push:*)"], 0, "ask  Asked because of the ask rule Bash(git push:*).\n"],
    [["--tool", "Read", "--input", '{"file_path":".env"}', "--deny", "Read(.env)"], 2, "deny  Denied by the deny rule Read(.env).\n"],
    [["ls", "--mode", "plan", "--deny", "Bash(rm:*)"], 2, "deny  The mode plan says deny for shell commands, and no rule decided.\n"],
  ])("%j: deny ends with 2, allow and ask with 0", async (args, exit, out) => {
    expect(await run(["check", ...args], { cwd: tempFolder() })).toEqual({ exit, out, err: "" });
  });

  test("[A10] --json has all that led to the decision", async () => {
    const { out } = await run(["check", "ls", "--deny", "Bash(ls)", "--json"], { cwd: tempFolder() });
    const rule = { verdict: "deny", text: "Bash(ls)" };
    expect(JSON.parse(out)).toEqual({
      decision: "deny",
      because: "Denied by the deny rule Bash(ls).",
      step: "deny-rule",
      mode: "default",
      rule,
      spoke: [{ rule, match: "yes" }],
      commands: [{ text: "ls", start: 0, end: 2, kind: "command", verdict: "deny", rule }],
      doubts: [],
    });
  });

  test("rules and mode from a file, bare or under permissions, in any format", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { "bare.json": { deny: ["Bash(ls)"] }, "under.yaml": "permissions:\n  defaultMode: plan\n  allow:\n    - Bash(ls)\n" });
    expect((await run(["check", "ls", "--rules", "bare.json"], { cwd })).out).toBe("deny  Denied by the deny rule Bash(ls) at bare.json:3:5.\n");
    expect((await run(["check", "ls", "--rules", "under.yaml"], { cwd })).out).toBe("allow  Allowed by the allow rule Bash(ls) at under.yaml:4:7.\n");
    expect((await run(["check", "pwd", "--rules", "under.yaml"], { cwd })).out).toMatch(/^deny {2}The mode plan/);
  });

  test("without rules of its own, those found here count; with --config both", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".lime/settings.json": { permissions: { deny: ["Bash(ls)"] } }, "more.json": { permissions: { deny: ["Bash(pwd)"] } } });
    expect((await run(["check", "ls"], { cwd })).exit).toBe(2);
    expect((await run(["check", "ls", "--allow", "Bash(ls)"], { cwd })).exit).toBe(0);
    expect((await run(["check", "pwd", "--allow", "Bash(pwd)", "--config", "more.json"], { cwd })).exit).toBe(2);
  });

  test("a rule that can't be read is told on stderr and asks", async () => {
    const { exit, out, err } = await run(["check", "ls", "--allow", "Bash", "--deny", "Bash(rm"], { cwd: tempFolder() });
    expect({ exit, decision: out.slice(0, 3) }).toEqual({ exit: 0, decision: "ask" });
    expect(err).toBe('snaphook: The rule "Bash(rm" is not closed: end it with a parenthesis.\n');
  });

  test.each([
    ['{"deny": ["Bash(ls)"', "rules.json:1:"],
    ['{"dney": ["Bash(ls)"]}', 'unknown key "dney" in permissions, did you mean "deny"?'],
    ['{"deny": "Bash(ls)"}', "rules.json:1:10: permissions.deny is text, not a list of rules"],
    ['{"deny": [1]}', "a rule in quotes is wanted here"],
    ["[]", "is a list, not an object of lists"],
  ])("the rules %s are bad configuration, told with their place", async (text, message) => {
    const cwd = tempFolder();
    writeFiles(cwd, { "rules.json": text });
    const { exit, err } = await run(["check", "ls", "--rules", "rules.json"], { cwd });
    expect(exit).toBe(78);
    expect(err).toContain(message);
  });

  test("files that are not there are bad configuration, two checks at once wrong usage", async () => {
    const cwd = tempFolder();
    expect((await run(["check", "ls", "--rules", "gone.json"], { cwd })).exit).toBe(78);
    expect((await run(["check", "ls", "--config", "gone.json"], { cwd })).exit).toBe(78);
    expect((await run(["check", "--batch", "gone.jsonl"], { cwd })).exit).toBe(78);
    expect((await run(["check", "--suggest", "."], { cwd })).err).toContain("can't be read: it is a folder");
    expect((await run(["check", "--batch", "a", "--suggest", "b"], { cwd })).exit).toBe(64);
    expect((await run(["check", "ls", "--batch", "a"], { cwd })).exit).toBe(64);
    expect((await run(["check", "ls", "--suggest", "a"], { cwd })).exit).toBe(64);
    expect((await run(["check"], { cwd })).exit).toBe(64);
  });

  test("- reads the command from stdin", async () => {
    expect((await checkLines(["-", "--deny", "Bash(pwd)"], ["ls", "pwd"])).exit).toBe(2);
  });
});

describe("check --batch", () => {
  test("[A1] agrees with evaluate on every case of the corpus, in order", async () => {
    const { exit, out, err } = await run(["check", "--batch", CORPUS], { cwd: tempFolder() });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const cases = readCorpus("./corpus/bypass.jsonl");
    expect(linesOf(out)).toEqual(
      cases.map((one) => {
        const { verdict, because } = judge(one);
        return { id: one.id, decision: verdict, because };
      }),
    );
    expect(cases.length).toBe(readFileSync(CORPUS, "utf8").trimEnd().split("\n").length);
  });

  test("a line that can't be read is asked in its place, and the end is 78", async () => {
    const good = JSON.stringify({ id: 7, tool: "Bash", input: { command: "ls" }, rules: { allow: ["Bash(ls)"] }, note: "not ours" });
    const { exit, out, err } = await checkLines(
      ["--batch", "-"],
      [
        good,
        "nonsense",
        "",
        '{"id":"m","tool":"Bash","input":{},"mode":"yolo"}',
        '{"id":{"a":1},"tool":"Bash","input":{"command":"ls"},"rules":{"deny":[1]}}',
        '{"id":null,"input":{}}',
        good,
      ],
    );
    expect(exit).toBe(78);
    expect(linesOf(out).map(({ id, decision }) => [id, decision])).toEqual([
      [7, "allow"],
      [null, "ask"],
      ["m", "ask"],
      [{ a: 1 }, "ask"],
      [null, "ask"],
      [7, "allow"],
    ]);
    expect(err.split("\n").map((line) => line.slice(0, 40))).toEqual([
      "snaphook: stdin:2: The line is not a JSO",
      "snaphook: stdin:4: The line has no usabl",
      "snaphook: stdin:5: The line has no usabl",
      "snaphook: stdin:6: The line has no usabl",
      "",
    ]);
  });

  test("[A5] folder, home, links and platform are part of the question", async () => {
    const ask = (fields: object): string => JSON.stringify({ id: 1, tool: "Read", mode: "default", ...fields });
    const { out } = await checkLines(
      ["--batch", "-"],
      [
        ask({ input: { file_path: "../secret" }, cwd: "/srv/proj/a", rules: { deny: ["Read(secret)"] } }),
        ask({ input: { file_path: "secret" }, cwd: "/elsewhere", rules: { deny: ["Read(secret)"] } }),
        ask({ input: { file_path: "~/x" }, home: "/root", rules: { deny: ["Read(/root/x)"] } }),
        ask({ input: { file_path: "link" }, fs: { symlinks: { "/srv/proj/link": "/secret" } }, rules: { deny: ["Read(/secret)"] } }),
        ask({ input: { file_path: "/SECRET" }, platform: "case-insensitive", rules: { deny: ["Read(/secret)"] } }),
        ask({ input: { file_path: "/SECRET" }, fs: null, platform: null, rules: { deny: ["Read(/secret)"], allow: null } }),
      ],
    );
    expect(linesOf(out).map(({ decision }) => decision)).toEqual(["deny", "deny", "deny", "deny", "deny", "allow"]);
  });

  test("many different rule sets do not pile up", async () => {
    const lines = Array.from({ length: 1_100 }, (_, index) =>
      JSON.stringify({ id: index, tool: "Bash", input: { command: `run ${index}` }, rules: { deny: [`Bash(run ${index})`] } }),
    );
    const { exit, out } = await checkLines(["--batch", "-"], lines);
    expect(exit).toBe(0);
    const decisions = linesOf(out);
    expect([decisions.length, new Set(decisions.map(({ decision }) => decision))]).toEqual([1_100, new Set(["deny"])]);
  });
});

const LOG = [
  { type: "event", event: "session.start", text: '"approval"' },
  ...["npm run lint", "npm run lint", "npm run types", "npm run lint && npm run types", "npm run docs"].map((command) => ({
    type: "approval",
    tool: "Bash",
    input: { command },
    answer: "allow",
    by: "terminal",
  })),
  { type: "approval", tool: "Bash", input: { command: "npm publish" }, answer: "deny", by: "terminal" },
  { type: "approval", tool: "Write", input: { file_path: "notes.md", content: "x" }, answer: "always", by: "terminal" },
  { type: "approval", tool: "mcp__db__query", input: { sql: "select 1" }, answer: "allow", by: "terminal" },
  { type: "approval", tool: "Bash", input: { command: "date" }, answer: "allow", by: "terminal" },
  { type: "approval", tool: "Bash", input: { command: "ls" }, answer: "none", by: "nobody" },
  { type: "approval", tool: "Bash", answer: "maybe" },
].map((line) => JSON.stringify(line));

describe("check --suggest", () => {
  test("[K1] rules with the prompts they would have saved, to paste", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { "log.jsonl": [...LOG, "no json", ""].join("\n") });
    expect(await run(["check", "--suggest", "log.jsonl", "--allow", "Bash(date)"], { cwd })).toEqual({
      exit: 0,
      err: "",
      out: `
  4 rules would have saved 6 of 8 approved prompts; 1 prompt allowed by rules
  already; 1 prompt denied; 1 prompt without an answer

      3  Bash(npm run lint)
      2  Bash(npm run types)
      1  Write(notes.md)  (any content)
      1  Bash(npm run docs)

  Left to a person
      1  mcp__db__query {"sql":"select 1"}
         No rule can name exactly this call: one for its tool would cover every
         call of it.

  To paste into a settings file
     {
       "permissions": {
         "allow": [
           "Bash(npm run lint)",
           "Bash(npm run types)",
           "Write(notes.md)",
           "Bash(npm run docs)"
         ]
       }
     }
`,
    });
  });

  test("--generalise offers wider rules, marked as such and never among those to paste", async () => {
    const { out } = await checkLines(["--suggest", "-", "--generalise", "--deny", "Bash(rm:*)"], LOG);
    expect(out).toContain(`  Wider than what was approved: add these only if you mean them
      4  Bash(npm run:*)
         3 calls: npm run lint, npm run types, npm run docs
`);
    const json = JSON.parse((await checkLines(["--suggest", "-", "--generalise", "--json", "--deny", "Bash(rm:*)"], LOG)).out);
    expect(json).toMatchObject({
      offers: [{ rule: "Bash(npm run:*)", prompts: 4 }],
      permissions: { allow: ["Bash(npm run lint)", "Bash(npm run types)", "Write(notes.md)", "Bash(npm run docs)", "Bash(date)"] },
      counts: { approved: 8, saved: 7, already: 0, denied: 1, unanswered: 1 },
    });
  });

  test("the rules allow what was approved when they are checked, and nothing that was denied", async () => {
    const cwd = tempFolder();
    const { out } = await checkLines(["--suggest", "-", "--json", "--deny", "Bash(rm:*)"], LOG);
    const { permissions }: { permissions: object } = JSON.parse(out);
    writeFiles(cwd, { "rules.json": permissions });
    const check = async (command: string): Promise<string> => (await run(["check", command, "--rules", "rules.json"], { cwd })).out.split(" ")[0] ?? "";
    expect([await check("npm run lint && npm run types"), await check("npm run docs"), await check("npm run other"), await check("npm publish")]).toEqual([
      "allow",
      "allow",
      "ask",
      "ask",
    ]);
  });

  test("a log without answers says so", async () => {
    expect((await checkLines(["--suggest", "-"], ["{}"])).out).toBe("\n  0 rules would have saved 0 of 0 approved prompts\n");
  });
});
