/** A large log, and how long questions to it take. */
import { openLog } from "../../../src/audit/log.ts";
import { query, recordById, stats } from "../../../src/audit/query.ts";
import type { AuditFilter } from "../../../src/audit/filter.ts";

const START = Date.parse("2026-11-01T00:00:00.000Z");
const WORDS = ["build", "test", "lint", "deploy", "fetch", "publish", "clean", "watch", "bench", "docs"];

/** Writes so many records, like those of sessions with a hook on every call. */
export function writeMany(folder: string, count: number): void {
  const log = openLog({ folder });
  for (let index = 0; index < count; index++) {
    const verdict = index % 17 === 0 ? "deny" : index % 5 === 0 ? "ask" : "allow";
    const frame = {
      type: "decision",
      id: `01a1df16-762b-7ccb-bbaa-${index.toString(16).padStart(12, "0")}`,
      at: new Date(START + index * 1_000).toISOString(),
    } as const;
    const command = `npm run ${WORDS[index % WORDS.length]} -- --part ${index % 1_000}`;
    log.append(frame, {
      session: `session-${Math.floor(index / 500)}`,
      cwd: "/srv/project",
      mode: "default",
      event: index % 2 === 0 ? "tool.before" : "tool.after",
      verdict,
      reason: verdict === "deny" ? "not in this folder" : undefined,
      tool: { name: index % 3 === 0 ? "Bash" : "Read", input: { command }, useId: `use-${index}` },
      gate: { verdict, because: "The mode default says so.", step: "mode", mode: "default" },
      hooks: [{ name: `./hooks/guard-${index % 20}.sh`, dialect: "lime", type: "command", ended: "exited", exitCode: 0, durationMs: (index * 7_919) % 100 }],
    });
  }
  log.close();
}

const FILTERS: readonly AuditFilter[] = [
  {},
  { verdict: "deny" },
  { tool: "Bash", verdict: "deny" },
  { session: "session-77" },
  { hook: "guard-7" },
  { text: "publish 777" },
  { text: "npm" },
  { sinceMs: START + 500_000_000, untilMs: START + 500_900_000 },
  { event: "tool.before", verdict: "ask", sinceMs: START + 300_000_000 },
];

/** How long something took: on a clock, and of a processor, which is what it takes on a machine that does nothing else. */
export interface Took {
  readonly what: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly total: number;
}

/** How long each question took, once the index is there; and how long that took to make. */
export async function timeQueries(folder: string): Promise<readonly Took[]> {
  const times: Took[] = [];
  const time = async (what: string, ask: () => Promise<number>): Promise<void> => {
    const [began, worked] = [performance.now(), process.cpuUsage()];
    const total = await ask();
    const { user, system } = process.cpuUsage(worked);
    times.push({ what, wallMs: performance.now() - began, cpuMs: (user + system) / 1_000, total });
  };
  await time("index", async () => (await query(folder, {}, { limit: 1 })).total);
  for (const filter of FILTERS) await time(`query ${JSON.stringify(filter)}`, async () => (await query(folder, filter)).total);
  await time("why ID", async () => ((await recordById(folder, "000000001234")) ? 1 : 0));
  await time("stats", async () => (await stats(folder)).records);
  await time("stats of a session", async () => (await stats(folder, { session: "session-77" })).records);
  return times;
}
