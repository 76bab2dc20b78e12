/** Workers as real processes: what they answer, how they fail, and that neither lets an answer go to the wrong event. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isObject } from "../../src/lib/json.ts";
import { DIALECTS } from "../../src/dialects/index.ts";
import type { Hook } from "../../src/model/hook.ts";
import type { RunContext, RunnerResult } from "../../src/runners/runner.ts";
import { runWorker } from "../../src/runners/worker.ts";
import { hookFor } from "../../src/testing/index.ts";
import { marked, marker, until } from "../support/processes.ts";
import { payloadOf, runContext } from "../support/run-context.ts";
import { tempFolder } from "../support/temp.ts";

/** A shell that does something with each line; `$id` is what must be echoed. */
const each = (body: string): string => `while read -r line; do id=\${line#*:}; id=\${id%%,*}; ${body}; done`;
const ANSWER = `echo "{\\"id\\":$id}"`;
const says = (verdict: string): string => `echo "{\\"id\\":$id,\\"verdict\\":\\"${verdict}\\"}"`;

/** Whatever the id was; the wrong ones have tests of their own. */
const ID: unknown = expect.anything();

interface Asking {
  readonly hook: Hook;
  readonly context: RunContext;
  readonly ask: (payload?: { readonly [key: string]: unknown }, changes?: Partial<RunContext>) => Promise<RunnerResult>;
  /** Asks the same worker with another timeout. */
  readonly within: (timeoutMs: number) => Promise<RunnerResult>;
}

/** A hook with its worker; the clock is real unless the context brings another. */
function worker(
  command: string,
  { hook = {}, context = {}, idleMs = 600_000 }: { hook?: Partial<Hook>; context?: Partial<RunContext>; idleMs?: number } = {},
): Asking {
  const action = { type: "command", launch: "sh -c", command, args: null, worker: { idleMs } } as const;
  const asked = hookFor(DIALECTS.snaphook, "tool.before", { action, timeoutMs: 20_000, ...hook });
  const around = runContext({ now: () => performance.now(), ...context });
  return {
    hook: asked,
    context: around,
    ask: async (payload = { event: "tool.before" }, changes = {}) => runWorker(asked, payloadOf(payload), { ...around, ...changes }),
    within: async (timeoutMs) => runWorker({ ...asked, timeoutMs }, payloadOf({ event: "tool.before" }), around),
  };
}

/** What a worker said as context. */
function contextOf({ result }: RunnerResult): unknown {
  return result.kind === "returned" && isObject(result.value) ? result.value["context"] : result;
}

const results = async (asking: Asking, times: number): Promise<RunnerResult["result"][]> => {
  const all: RunnerResult["result"][] = [];
  for (let time = 0; time < times; time++) all.push((await asking.ask()).result);
  return all;
};

describe("answers", () => {
  test("one line for each event, from one process", async () => {
    const { ask } = worker(`n=0; ${each(`n=$((n+1)); echo "{\\"id\\":$id,\\"context\\":\\"$$ $n\\"}"`)}`);
    const said = [contextOf(await ask()), contextOf(await ask()), contextOf(await ask())];
    const [pid] = String(said[0]).split(" ");
    expect(said).toEqual([1, 2, 3].map((n) => `${pid} ${n}`));
  });

  test("the event is the command hook's, with an id before it", async () => {
    const cwd = tempFolder();
    const { ask } = worker(each(`printf '%s' "$line" > seen; ${ANSWER}`), { context: { cwd } });
    await ask({ event: "tool.before", tool: { name: "shell" } });
    expect(readFileSync(join(cwd, "seen"), "utf8")).toBe('{"id":1,"event":"tool.before","tool":{"name":"shell"}}');
  });

  test("a denial in JSON", async () => {
    expect((await worker(each(says("deny"))).ask()).result).toEqual({ kind: "returned", value: { id: ID, verdict: "deny" } });
  });

  test("an id may be echoed as text", async () => {
    expect((await worker(each(`echo "{\\"id\\":\\"$id\\",\\"verdict\\":\\"deny\\"}"`)).ask()).result).toEqual({
      kind: "returned",
      value: { id: ID, verdict: "deny" },
    });
  });

  test("an error that the worker tells is a fault, and the worker lives", async () => {
    const asking = worker(each(`echo "{\\"id\\":$id,\\"error\\":\\"no key $$\\"}"`));
    const [first, second] = await results(asking, 2);
    expect(first).toEqual({ kind: "failed", fault: "exception", message: expect.stringMatching(/^it failed: no key \d+$/) });
    expect(second).toEqual(first);
  });

  test("stderr until the answer is the event's", async () => {
    const { result } = await worker(each(`echo "looking" >&2; sleep 0.1; ${ANSWER}`)).ask();
    expect(result).toEqual({ kind: "returned", value: { id: ID }, stderr: "looking\n" });
  });

  test("stderr is cut at the limit, with a remark", async () => {
    const { result, remarks } = await worker(each(`head -c 300 /dev/zero | tr '\\0' x >&2; sleep 0.1; ${ANSWER}`), { context: { limitBytes: 100 } }).ask();
    expect(result).toEqual({ kind: "returned", value: { id: ID }, stderr: "x".repeat(100) });
    expect(remarks).toEqual(["stderr was cut after 100 bytes"]);
  });

  test("characters that arrive in halves", async () => {
    const { result } = await worker(each(`printf '{"id":%s,"context":"\\303' "$id"; sleep 0.05; printf '\\251"}\\n'`)).ask();
    expect(result).toEqual({ kind: "returned", value: { id: ID, context: "é" } });
  });

  test("an answer of several pieces, and a last one without a line break", async () => {
    const { result } = await worker(each(`printf '{"id":%s,' "$id"; sleep 0.05; printf '"verdict":"deny"}'; exit 0`)).ask();
    expect(result).toEqual({ kind: "returned", value: { id: ID, verdict: "deny" } });
  });

  test("a payload of megabytes", async () => {
    const text = "é".repeat(3_000_000);
    const { result } = await worker(`echo "{\\"id\\":1,\\"context\\":\\"$(head -n 1 | wc -c)\\"}"; cat`).ask({ event: "tool.before", text });
    expect(result).toEqual({
      kind: "returned",
      value: { id: ID, context: String(Buffer.byteLength(`${JSON.stringify({ id: 1, event: "tool.before", text })}\n`)) },
    });
  });
});

describe("where it runs", () => {
  test("in the project folder, with what holds for every event and nothing that differs", async () => {
    const projectDir = tempFolder();
    const { hook, context } = worker(each(`echo "{\\"id\\":$id,\\"context\\":\\"$PWD|$OWN|$FROM|$SNAPHOOK_PROJECT_DIR|$SNAPHOOK_EVENT|$SNAPHOOK_TOOL\\"}"`), {
      context: { env: { PATH: process.env["PATH"] ?? "", FROM: "outside", SNAPHOOK_TOOL: "of an outer hook" }, projectDir },
    });
    const env = { OWN: "own", SNAPHOOK_PROJECT_DIR: projectDir, SNAPHOOK_EVENT: "tool.before" };
    const payload = { ...payloadOf({ event: "tool.before" }), env };
    const { result } = await runWorker(hook, payload, { ...context, cwd: "/" });
    expect(result).toEqual({ kind: "returned", value: { id: ID, context: `${projectDir}|own|outside|${projectDir}||` } });
  });

  test("entries that start the same thing share a process, others do not", async () => {
    const first = worker(each(`echo "{\\"id\\":$id,\\"context\\":\\"$$\\"}"`));
    const ask = async (changes: Partial<Hook>): Promise<unknown> =>
      contextOf(await runWorker({ ...first.hook, ...changes }, payloadOf({ event: "x" }), first.context));
    const pid = await ask({});
    expect(await ask({ wireName: "tool.after", timeoutMs: 1_000 })).toEqual(pid);
    expect(await ask({ env: { A: "1" } })).not.toEqual(pid);
  });

  test("bash does not take the socket for a remote login", async () => {
    const home = tempFolder();
    appendFileSync(join(home, ".bashrc"), "echo from-bashrc\n");
    const { ask } = worker(`exec bash -c '${each(ANSWER)}'`, { context: { env: { PATH: process.env["PATH"] ?? "", HOME: home } } });
    expect(await ask()).toEqual({ result: { kind: "returned", value: { id: ID } }, stubbed: [], remarks: [] });
  });
});

describe("noise", () => {
  test("lines that are no JSON are told, and are no answer", async () => {
    const { result, remarks } = await worker(`echo ready; ${each(`echo hm; echo 7; ${says("deny")}`)}`).ask();
    expect(result).toEqual({ kind: "returned", value: { id: ID, verdict: "deny" } });
    expect(remarks).toEqual(["it printed 3 lines on stdout that are no answers, the first: ready"]);
  });

  test("an answer behind noise on the same line counts: its id says whose it is", async () => {
    const { result, remarks } = await worker(each(`printf 'loading… '; ${says("deny")}`)).ask();
    expect(result).toEqual({ kind: "returned", value: { id: ID, verdict: "deny" } });
    expect(remarks).toEqual(['it printed a line on stdout that is no answer: loading… {"id":1,"verdict":"deny"}']);
  });

  test("a log line of JSON without an id is noise", async () => {
    const { result, remarks } = await worker(each(`echo '{"level":"info","message":"hi"}'; ${says("deny")}`)).ask();
    expect(result).toEqual({ kind: "returned", value: { id: ID, verdict: "deny" } });
    expect(remarks).toEqual(['it printed a line on stdout that is no answer: {"level":"info","message":"hi"}']);
  });

  test("a wrong id is ignored and told, the right one counts", async () => {
    const { result, remarks } = await worker(each(`echo '{"id":99,"verdict":"allow"}'; ${says("deny")}`)).ask();
    expect(result).toEqual({ kind: "returned", value: { id: ID, verdict: "deny" } });
    expect(remarks).toEqual(["an answer with the id 99, which no event waits for, was ignored"]);
  });

  test.each(['{"verdict":"allow"}', "{}", '{"context":"hm"}'])("%s without an id is a fault at once", async (line) => {
    expect((await worker(each(`echo '${line}'`)).ask()).result).toEqual({ kind: "failed", fault: "answer", message: 'its answer lacks the "id" of the event' });
  });

  test("a denial without an id is not lost", async () => {
    const { result, remarks } = await worker(each(`echo '{"verdict":"deny"}'`)).ask();
    expect(result).toEqual({ kind: "returned", value: { verdict: "deny" } });
    expect(remarks).toEqual(['its answer lacks the "id" of the event; a denial counts all the same']);
  });

  test("what is said between events is told with the next one", async () => {
    const { ask } = worker(each(`${ANSWER}; echo '{"id":1,"verdict":"allow"}'`));
    await ask();
    const { remarks } = await ask();
    expect(remarks).toEqual(["an answer with the id 1, which no event waits for, was ignored"]);
  });
});

describe("several at once", () => {
  test("are asked one after another, in order", async () => {
    const { ask } = worker(`n=0; ${each(`n=$((n+1)); echo "{\\"id\\":$id,\\"context\\":\\"$n\\"}"`)}`);
    const all = await Promise.all(Array.from({ length: 100 }, async () => ask({ event: "x" }, { signal: new AbortController().signal })));
    expect(all.map(({ result }) => result)).toEqual(Array.from({ length: 100 }, (_, n) => ({ kind: "returned", value: { id: ID, context: String(n + 1) } })));
  });

  test("a worker that says so is asked many, and answers in any order", async () => {
    const swapped = `echo '{"hello":1,"concurrency":2}'; read -r a; read -r b; for line in "$b" "$a"; do id=\${line#*:}; id=\${id%%,*}; echo "{\\"id\\":$id,\\"context\\":\\"$id\\"}"; done; cat >/dev/null`;
    const { ask } = worker(swapped);
    const all = await Promise.all([ask(), ask()]);
    expect(all.map(({ result }) => result)).toEqual([1, 2].map((id) => ({ kind: "returned", value: { id: ID, context: String(id) } })));
  });

  test("without a hello two are never open together", async () => {
    const { ask } = worker(
      each(`if read -r -t 0.2 more 2>/dev/null; then ${says("deny")}; else ${ANSWER}; fi`)
        .replace(/^/, "exec bash -c '")
        .concat("'"),
    );
    const all = await Promise.all([ask(), ask()]);
    expect(all.map(({ result }) => result)).toEqual([1, 2].map(() => ({ kind: "returned", value: { id: ID } })));
  });

  test("one that waited its time without being asked is a fault, and the worker is not ended for it", async () => {
    const asking = worker(each(`sleep 0.5; echo "{\\"id\\":$id,\\"context\\":\\"$$\\"}"`));
    const first = asking.ask();
    expect((await asking.within(50)).result).toEqual({ kind: "failed", fault: "timeout", message: "other events kept it busy for 50 ms: it was not asked" });
    expect(contextOf(await asking.ask())).toEqual(contextOf(await first));
  });
});

describe("an answer that overruns", () => {
  test("ends the worker with everything it started, and its late answer is not the next event's", async () => {
    const mark = marker();
    const slow = `test -e slow && ${each(ANSWER)}; touch slow; ${each(`sleep 300 & (sleep 0.6; ${says("allow")}) & wait`)}`;
    const { ask, within } = worker(slow, { context: { env: { PATH: process.env["PATH"] ?? "", [mark.name]: mark.value } } });
    expect((await within(300)).result).toEqual({ kind: "timed-out", afterMs: 300 });
    expect(await until(() => marked(mark).length === 0)).toBe(true);
    expect((await ask()).result).toEqual({ kind: "returned", value: { id: ID } });
  });

  test("takes along what else the worker was asked", async () => {
    const asking = worker(`echo '{"hello":1,"concurrency":2}'; read -r line; echo '{"id":1}'; cat >/dev/null`);
    await asking.ask();
    const long = asking.ask();
    expect((await asking.within(300)).result).toEqual({ kind: "timed-out", afterMs: 300 });
    expect((await long).result).toEqual({ kind: "failed", fault: "answer", message: "it was ended while it was asked: another event overran its time" });
  });

  test("a caller that cancels is not kept waiting, and the worker may finish", async () => {
    const { ask } = worker(each(`sleep 0.3; echo "{\\"id\\":$id,\\"context\\":\\"$$ $id\\"}"`));
    const caller = new AbortController();
    const warm = contextOf(await ask());
    const cancelled = ask({ event: "x" }, { signal: caller.signal });
    caller.abort();
    expect((await cancelled).result).toEqual({ kind: "skipped", why: "the caller cancelled the event" });
    expect(contextOf(await ask())).toBe(String(warm).replace(/ 1$/, " 3"));
  });

  test("one that stays with a cancelled event is ended, and the next event gets a new one", async () => {
    const { ask } = worker(`test -e hung && ${each(ANSWER)}; touch hung; ${each("sleep 300")}`);
    const caller = new AbortController();
    const cancelled = ask({ event: "x" }, { signal: caller.signal });
    caller.abort();
    await cancelled;
    expect((await ask()).result).toEqual({ kind: "returned", value: { id: ID } });
  });
});

describe("too much", () => {
  test.each([
    ["a line above the limit", `head -c 20000 /dev/zero | tr '\\0' x; echo; ${ANSWER}`],
    ["a line that never ends", "cat /dev/zero"],
    ["noise without end", "yes"],
    ["an answer above the limit", `printf '{"id":%s,"context":"' "$id"; head -c 20000 /dev/zero | tr '\\0' x; echo '"}'`],
  ])("%s is a fault, and the worker is ended", async (_, body) => {
    const mark = marker();
    const { ask } = worker(each(body), { context: { env: { PATH: process.env["PATH"] ?? "", [mark.name]: mark.value } } });
    expect((await ask()).result).toEqual({ kind: "oversized", limitBytes: 10_000, code: null, stderr: "" });
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });
});

describe("death", () => {
  test.each<[string, string, object]>([
    ["exit 1", "echo oops >&2; exit 1", { kind: "exited", code: 1, stdout: "", stderr: "oops\n" }],
    ["exit 2, which this dialect reads as a denial", "echo no >&2; exit 2", { kind: "exited", code: 2, stdout: "", stderr: "no\n" }],
    ["exit 0 without an answer", "exit 0", { kind: "failed", fault: "answer", message: "it ended (exit code 0) without an answer" }],
    ["a signal", "kill -KILL $$", { kind: "signalled", signal: "SIGKILL", stderr: "" }],
    ["a command that does not exist", "no-such-command; exit $?", { kind: "exited", code: 127, stdout: "", stderr: expect.stringContaining("not found") }],
  ])("%s at an event is told, and the next event starts a new one", async (_, body, result) => {
    const { ask } = worker(`test -e died && ${each(ANSWER)}; touch died; ${each(body)}`);
    expect((await ask()).result).toEqual(result);
    expect((await ask()).result).toEqual({ kind: "returned", value: { id: ID } });
  });

  test("half a line is no answer", async () => {
    const { result, remarks } = await worker(each(`printf '{"id":%s,"verdict":"al' "$id"; exit 3`)).ask();
    expect(result).toEqual({ kind: "exited", code: 3, stdout: "", stderr: "" });
    expect(remarks).toEqual(['it printed a line on stdout that is no answer: {"id":1,"verdict":"al']);
  });

  test("closing stdout without ending is death too", async () => {
    expect((await worker(each("exec >&-; sleep 300")).ask()).result).toEqual({ kind: "signalled", signal: "SIGKILL", stderr: "" });
  });

  test("it may end itself after an answer: an event that crosses with its end is asked anew", async () => {
    const asking = worker(`read -r line; id=\${line#*:}; id=\${id%%,*}; ${says("deny")}`);
    expect(await results(asking, 10)).toEqual(Array.from({ length: 10 }, () => ({ kind: "returned", value: { id: ID, verdict: "deny" } })));
    const all = await Promise.all(Array.from({ length: 10 }, async () => asking.ask()));
    expect(all.map(({ result }) => result)).toEqual(Array.from({ length: 10 }, () => ({ kind: "returned", value: { id: ID, verdict: "deny" } })));
  });

  test("what it left behind ends with it", async () => {
    const mark = marker();
    const { ask } = worker(each("sleep 300 & exit 1"), { context: { env: { PATH: process.env["PATH"] ?? "", [mark.name]: mark.value } } });
    await ask();
    expect(await until(() => marked(mark).length === 0)).toBe(true);
  });

  test("a folder that does not exist", async () => {
    expect((await worker(each(ANSWER), { context: { projectDir: "/no/such/folder" } }).ask()).result).toEqual({
      kind: "not-started",
      message: "the working folder /no/such/folder does not exist",
    });
  });

  test("a variable that no process can have", async () => {
    expect((await worker(each(ANSWER), { context: { env: { A: "a\0b" } } }).ask()).result).toMatchObject({ kind: "not-started" });
  });
});

describe("a crash loop", () => {
  const crashing = `echo start >> starts; ${each("echo broken >&2; exit 1")}`;
  const starts = (folder: string): number => readFileSync(join(folder, "starts"), "utf8").trim().split("\n").length;

  test("backs off and says so, longer each time", async () => {
    const cwd = tempFolder();
    let now = 0;
    const asking = worker(crashing, { context: { cwd, projectDir: cwd, now: () => now } });
    const refused = (times: number, ms: number): object => ({
      kind: "not-started",
      message: `it failed ${times} times in a row (exit code 1: broken); it is started again in ${ms} ms`,
    });
    const crashed = { kind: "exited", code: 1, stdout: "", stderr: "broken\n" };
    expect(await results(asking, 4)).toEqual([crashed, crashed, refused(2, 500), refused(2, 500)]);
    now = 500;
    expect(await results(asking, 2)).toEqual([crashed, refused(3, 1_000)]);
    expect(starts(cwd)).toBe(3);
  });

  test("an answer ends it", async () => {
    const cwd = tempFolder();
    const asking = worker(`test -e ok && ${each(ANSWER)}; ${crashing}`, { context: { cwd, projectDir: cwd, now: () => 0 } });
    await asking.ask();
    appendFileSync(join(cwd, "ok"), "");
    expect(await results(asking, 2)).toEqual([1, 2].map(() => ({ kind: "returned", value: { id: ID } })));
  });

  test("denials by exit code are answers: none of them is held back", async () => {
    const asking = worker(each("exit 2"), { context: { now: () => 0 } });
    expect(await results(asking, 5)).toEqual(Array.from({ length: 5 }, () => ({ kind: "exited", code: 2, stdout: "", stderr: "" })));
  });
});
