/** `snaphook audit` and `snaphook why ID`, as people type them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { snaphook } from "../support/cli.ts";
import { until } from "../support/processes.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";
import { run } from "./surface.ts";

const SETTINGS = {
  hooks: { PreToolUse: ["grep -q forbidden && { echo 'not here'; exit 2; } || true"] },
  permissions: { allow: ["Bash(ls *)"], deny: ["Bash(rm *)"] },
};
const SESSION = "01a1df28-b893-7fa0-bbb0-e0368322072d";

/** A folder with settings and four decisions on record; the home is inside it. */
async function recordedFolder(): Promise<string> {
  const cwd = tempFolder();
  writeFiles(cwd, { ".lime/settings.json": SETTINGS });
  for (const command of ["ls -l", "rm -rf x", "echo forbidden", "make"]) {
    const event = { sessionId: SESSION, tool: { name: "Bash", input: { command }, useId: command } };
    await run(["fire", "tool.before", "--trust"], { cwd, env: { TMPDIR: cwd }, stdin: JSON.stringify(event) });
  }
  return cwd;
}

function logIn(cwd: string): string {
  return join(cwd, "home", ".local", "state", "snaphook", "audit");
}

describe("what is recorded", () => {
  test("fire records where the configuration was found, and prints the id; not where it was named, nor with --no-audit, nor when it is off", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".lime/settings.json": SETTINGS });
    const env = { HOME: join(cwd, "home") };
    const fire = async (args: readonly string[], more: { readonly [name: string]: string } = {}): Promise<{ readonly id?: string }> =>
      JSON.parse((await snaphook(["fire", "setup", ...args], { cwd, env: { ...env, ...more }, stdin: {} })).stdout);
    expect(
      [await fire(["--no-audit"]), await fire(["--config", ".lime/settings.json"]), await fire([], { SNAPHOOK_AUDIT: "off" })].map(({ id }) => id),
    ).toEqual([undefined, undefined, undefined]);
    expect(existsSync(logIn(cwd))).toBe(false);
    const { id } = await fire([]);
    const elsewhere = await fire(["--config", ".lime/settings.json"], { SNAPHOOK_AUDIT: "records" });
    expect(readFileSync(join(logIn(cwd), "lane-00-000001.jsonl"), "utf8")).toContain(`"id":"${id}"`);
    expect(readFileSync(join(cwd, "records", "lane-00-000001.jsonl"), "utf8")).toContain(`"id":"${elsewhere.id}"`);
  });

  test("run records a session with its answers, and shows what why takes beside a denial", async () => {
    const cwd = tempFolder();
    const turns = [
      {
        toolCalls: [
          { name: "Bash", input: { command: "rm -rf x" } },
          { name: "Write", input: { file_path: "a", content: "b" } },
        ],
      },
      { text: "done" },
    ];
    writeFiles(cwd, { ".lime/settings.json": SETTINGS, "model.json": { turns } });
    const args = ["run", "--trust", "--model", "script:model.json", "--prompt", "go", "--approve", "allow"];
    const { stdout, code } = await snaphook(args, { cwd, env: { HOME: join(cwd, "home") } });
    const id = /why ([0-9a-f]{12})/.exec(stdout)?.[1] ?? "none";
    const why = await run(["why", id], { cwd });
    expect([code, why.exit]).toEqual([0, 2]);
    expect(why.out).toMatch(/DENY {3}Bash {2}rm -rf x\n/);
    expect(why.out).toMatch(/rule +Bash\(rm \*\) +deny.*\.lime\/settings\.json:\d+:\d+/);
    const { out } = await run(["audit", "query", "--json"], { cwd });
    const records = out
      .trimEnd()
      .split("\n")
      .map((line): { [key: string]: unknown } => JSON.parse(line));
    expect(records.find(({ type }) => type === "approval")).toMatchObject({ answer: "allow", approver: "--approve allow" });
    expect(records.map(({ event }) => event)).toEqual(expect.arrayContaining(["session.start", "prompt.submit", "tool.before", "tool.after", "session.end"]));
  });

  test("the bridge records its sessions", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { "model.json": { turns: [{ text: "hello" }] } });
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.create", params: { model: "script:model.json" } });
    await snaphook(["bridge"], { cwd, env: { HOME: join(cwd, "home") }, stdin: `${message}\n` });
    expect((await run(["audit", "query", "--event", "session.start", "--json"], { cwd })).out).toContain('"event":"session.start"');
  });

  test("a home that can't be written costs a notice; where a record is required, the call", async () => {
    const cwd = tempFolder();
    writeFiles(cwd, { ".lime/settings.json": SETTINGS, home: "a file" });
    const event = { tool: { name: "Bash", input: { command: "ls -l" } } };
    const fire = async (
      audit: string,
    ): Promise<{ readonly code: number | null; readonly decision: { readonly notices: readonly { readonly kind: string }[] } }> => {
      const { code, stdout } = await snaphook(["fire", "tool.before", "--trust"], {
        cwd,
        env: { HOME: join(cwd, "home"), SNAPHOOK_AUDIT: audit },
        stdin: event,
      });
      return { code, decision: JSON.parse(stdout) };
    };
    expect(await fire("on")).toMatchObject({ code: 0, decision: { verdict: "allow", notices: [{ kind: "audit" }] } });
    expect(await fire("required")).toMatchObject({ code: 2, decision: { verdict: "deny" } });
  });
});

describe("tail", () => {
  test("one line a record: time, verdict, event, call, who decided and where, id", async () => {
    const cwd = await recordedFolder();
    const { out, exit } = await run(["audit", "tail", "-n", "3"], { cwd });
    const [day, ...lines] = out.trimEnd().split("\n");
    expect([exit, day]).toEqual([0, expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/)]);
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}deny {3}tool\.before +Bash {2}rm -rf x +rule Bash\(rm \*\) {2}\.lime\/settings\.json:\d+:\d+ {2}[0-9a-f]{12}$/),
      expect.stringMatching(/deny {3}tool\.before +Bash {2}echo forbidden +hook grep .* {2}[0-9a-f]{12}$/),
      expect.stringMatching(/ask {4}tool\.before +Bash {2}make +mode default {2}[0-9a-f]{12}$/),
    ]);
    const narrow = (await run(["audit", "tail"], { cwd, colour: true, columns: 80 })).out;
    // oxlint-disable-next-line no-control-regex -- colours of a terminal
    expect(narrow.split("\n").every((line) => line.replaceAll(/\u001B\[\d+m/g, "").length <= 80)).toBe(true);
  });

  test("-f goes on as the log grows", async () => {
    const cwd = await recordedFolder();
    const stop = new AbortController();
    let out = "";
    const { main } = await import("../../src/cli/main.ts");
    const tailing = main(["audit", "tail", "-f", "--json", "-n", "1"], {
      env: { HOME: join(cwd, "home") },
      cwd,
      stdin: async () => "",
      stdout: (text) => void (out += text),
      stderr: () => {},
      terminal: { isTerminal: false, columns: 80, colour: false },
      signal: stop.signal,
      onInterrupt: () => {},
      lines: async function* () {},
      stdinIsTerminal: false,
    });
    await until(() => out.includes("make"));
    await snaphook(["fire", "setup"], { cwd, env: { HOME: join(cwd, "home") }, stdin: {} });
    expect(await until(() => out.includes('"event":"setup"'), 20_000)).toBe(true);
    stop.abort();
    expect([await tailing, out.trimEnd().split("\n").length]).toEqual([0, 2]);
  });

  test("where nothing is recorded it says so", async () => {
    const cwd = tempFolder();
    expect(await run(["audit", "tail"], { cwd })).toMatchObject({ exit: 0, out: "", err: expect.stringContaining("no records") });
  });
});

describe("query, export, stats", () => {
  test("query by verdict, tool, hook, session, time and words, and how many there are", async () => {
    const cwd = await recordedFolder();
    const found = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { out } = await run(["audit", "query", ...args, "--json"], { cwd });
      return out.split("\n").flatMap((line) => /"command":"([^"]*)"/.exec(line)?.[1] ?? []);
    };
    expect(await found("--verdict", "deny")).toEqual(["rm -rf x", "echo forbidden"]);
    expect(await found("--tool", "developer__shell", "--since", "1h", "--lines", "2")).toEqual(["echo forbidden", "make"]);
    expect(await found("--hook", "grep", "--session", SESSION.slice(0, 8), "forb")).toEqual(["ls -l", "rm -rf x", "echo forbidden", "make"]);
    expect(await found("--until", "2026-01-01")).toEqual([]);
    expect((await run(["audit", "query", "--lines", "1"], { cwd })).err).toMatch(/^4 records, the newest 1 are shown .* ms\n$/);
  });

  test("export as JSON lines and as a table, to a file that is its owner's alone", async () => {
    const cwd = await recordedFolder();
    const lines = (await run(["audit", "export", "--verdict", "deny"], { cwd })).out.trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ verdict: "deny" }, { verdict: "deny" }]);
    const written = await run(["audit", "export", "--format", "csv", "-o", "out.csv"], { cwd });
    expect(written.out).toBe(`4 records written to ${join(cwd, "out.csv")}\n`);
    const table = readFileSync(join(cwd, "out.csv"), "utf8").split("\r\n");
    expect([table.length, table[0]?.startsWith("id,at,type"), table[2]]).toEqual([
      6,
      true,
      expect.stringContaining('"{""command"":""rm -rf x""}",deny,rule Bash(rm *)'),
    ]);
  });

  test("a cell is no formula", async () => {
    const cwd = tempFolder();
    await snaphook(["fire", "tool.before"], {
      cwd,
      env: { HOME: join(cwd, "home") },
      stdin: { sessionId: '=HYPERLINK("x")', tool: { name: "+1", input: {} } },
    });
    expect((await run(["audit", "export", "--format", "csv"], { cwd })).out).toContain(`"'=HYPERLINK(""x"")",,,'+1`);
  });

  test("stats: verdicts, tools, hooks with p50 and p95", async () => {
    const cwd = await recordedFolder();
    const { out } = await run(["audit", "stats"], { cwd });
    expect(out).toMatch(/4 records of 1 session/);
    expect(out).toMatch(/allow 1 {3}ask 1 {3}deny 2 {3}no opinion 0/);
    expect(out).toMatch(/Calls by tool +allow +ask +deny\n {2}shell +1 +1 +2\n/);
    expect(out).toMatch(/Slowest hooks +runs +p50 +p95 +longest\n {2}grep .* 4 /);
    expect(JSON.parse((await run(["audit", "stats", "--json", "--rebuild"], { cwd })).out)).toMatchObject({ records: 4, verdicts: { deny: 2 } });
  });
});

describe("verify", () => {
  test("says OK with hashes to keep elsewhere, and BAD with the first bad record", async () => {
    const cwd = await recordedFolder();
    const sound = await run(["audit", "verify"], { cwd });
    expect(sound.exit).toBe(0);
    expect(sound.out).toMatch(/OK {5}5 records in 1 file: every record is as it was written/);
    const hash = /lane 0 {2}record 5 {2}([0-9a-f]{64})/.exec(sound.out)?.[1] ?? "";
    expect((await run(["audit", "verify", "--expect", hash], { cwd })).exit).toBe(0);
    expect(await run(["audit", "verify", "--expect", "0".repeat(64)], { cwd })).toMatchObject({
      exit: 1,
      out: expect.stringContaining("no record has the hash 0000"),
    });
    const path = join(logIn(cwd), "lane-00-000001.jsonl");
    writeFileSync(path, readFileSync(path, "utf8").replace("rm -rf x", "rm -rf y"));
    const bad = await run(["audit", "verify"], { cwd });
    expect([bad.exit, bad.out]).toEqual([1, expect.stringContaining("lane-00-000001.jsonl:3  record 3: this record was altered")]);
    expect(JSON.parse((await run(["audit", "verify", "--json"], { cwd })).out)).toMatchObject({
      ok: false,
      problems: [{ file: "lane-00-000001.jsonl", line: 3, kind: "altered" }],
    });
  });
});

describe("why ID", () => {
  test("explains a decision from the log, by its whole id or its end, with all that became of the call", async () => {
    const cwd = await recordedFolder();
    const [record]: { id: string }[] = (await run(["audit", "query", "--verdict", "deny", "--lines", "1", "--json"], { cwd })).out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const id = record?.id ?? "";
    const { out, exit } = await run(["why", id], { cwd, columns: 100 });
    expect(exit).toBe(2);
    expect(out).toMatch(/DENY {3}Bash {2}echo forbidden\n/);
    expect(out).toContain(SESSION);
    expect(out).toMatch(/PreToolUse +grep .* deny .*not here/s);
    expect((await run(["why", id.slice(-12)], { cwd, columns: 100 })).out).toBe(out);
    expect(JSON.parse((await run(["why", id, "--json"], { cwd })).out)).toMatchObject({ record: { id, verdict: "deny" }, story: [] });
  });

  test("an id that nobody recorded is said to be unknown; twelve digits that are no id are a command", async () => {
    const cwd = tempFolder();
    expect(await run(["why", "01a1df28-b893-7fa0-bbb0-e0368322072d"], { cwd })).toMatchObject({
      exit: 64,
      err: expect.stringContaining("there is no decision 01a1df28"),
    });
    expect((await run(["why", "abcdefabcdef"], { cwd })).out).toContain("abcdefabcdef");
  });
});

describe("wrong usage", () => {
  test.for([
    [["audit"], "audit takes one of tail, query"],
    [["audit", "vrify"], 'did you mean "verify"?'],
    [["audit", "tail", "x"], 'audit tail takes no words, but "x" was given'],
    [["audit", "query", "--since", "soon"], '--since "soon" is no time'],
    [["audit", "query", "--verdict", "maybe"], '--verdict "maybe" is not one of'],
    [["audit", "query", "--event", "tool"], '--event "tool" is not one of'],
    [["audit", "tail", "-n", "0"], '--lines "0" is not a number above 0'],
    [["audit", "verify", "--expect", "abc"], '--expect "abc" is no hash'],
    [["audit", "export", "--format", "xml"], '--format "xml" is not one of jsonl, csv'],
  ] as const)("%j", async ([args, message]) => {
    expect(await run([...args], { cwd: tempFolder() })).toMatchObject({ exit: 64, err: expect.stringContaining(message) });
  });

  test("a file that can't be written is named", async () => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, "dir"));
    expect(await run(["audit", "export", "-o", "dir"], { cwd })).toMatchObject({ exit: 64, err: expect.stringContaining("can't be written") });
    expect(readdirSync(join(cwd, "dir"))).toEqual([]);
  });
});
