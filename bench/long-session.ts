/** 10,000 rounds in one session, with a hook on every event: is the time per round constant, is memory flat? */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession, EVENTS, type EventName, type AnyLibraryHook, type Model } from "../src/index.ts";

const ROUNDS = Number(process.argv[2] ?? 10_000);
const STEP = Math.max(1, Math.floor(ROUNDS / 10));
const folder = mkdtempSync(join(tmpdir(), "snaphook-long-"));
writeFileSync(join(folder, "note.txt"), "a short note\n");

const fired = new Map<string, number>();
const hooks = Object.keys(EVENTS).map((event): AnyLibraryHook => {
  const name = Object.keys(EVENTS).find((each): each is EventName => each === event) ?? "notification";
  return { event: name, name: `count ${event}`, call: () => void fired.set(event, (fired.get(event) ?? 0) + 1) };
});

let calls = 0;
const marks: { readonly ms: number; readonly heapMb: number }[] = [];
const model: Model = {
  id: "bench",
  contextWindow: 8_000,
  forAgent: () => model,
  call: async ({ purpose }) => {
    if (purpose !== "turn") return { text: "summary", toolCalls: [], usage: { input: 0, output: 0 } };
    if (calls % STEP === 0) mark();
    calls += 1;
    if (calls > ROUNDS) return { text: "done", toolCalls: [], usage: { input: 0, output: 0 } };
    return { text: "", toolCalls: [{ id: `call_${calls}`, name: "Read", input: { file_path: "note.txt" } }], usage: { input: 0, output: 0 } };
  },
};

function mark(): void {
  globalThis.gc?.();
  marks.push({ ms: performance.now(), heapMb: process.memoryUsage().heapUsed / 1_048_576 });
}

try {
  const session = await createSession({
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, TMPDIR: folder },
    model,
    mode: "default",
    hooks,
    maxRounds: ROUNDS + 1,
  });
  const result = await session.prompt("go");
  await session.end("other");
  console.log(`${ROUNDS} rounds, ended with ${result.reason}; events: ${[...fired].map(([event, count]) => `${event} ${count}`).join(", ")}`);
  console.log("rounds      ms a round   heap MB");
  for (const [index, { ms, heapMb }] of marks.entries()) {
    const next = marks[index + 1];
    console.log(
      `${String(index * STEP).padStart(6)}  ${next ? ((next.ms - ms) / STEP).toFixed(3).padStart(12) : " ".repeat(12)}  ${heapMb.toFixed(1).padStart(8)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
