/** Events without end through all runners, many at once, some of them broken: what is left of processes, descriptors, files and memory. */
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine, type EngineOptions } from "../../src/engine/engine.ts";
import { defineHook } from "../../src/engine/library-hook.ts";
import { seeded } from "../permissions/second/random.ts";
import { marked, marker, until } from "../support/processes.ts";
import { writeFiles } from "../support/temp.ts";

/** How hooks behave: a native entry, how often it is met of a hundred, and the verdicts that are right. */
interface Behaviour {
  readonly hook?: { readonly [key: string]: unknown };
  readonly call?: () => unknown;
  /** Shares in a soak of everything, and in one of processes only. */
  readonly everything: number;
  readonly processes: number;
  readonly verdicts: readonly (string | null)[];
}

const quiet = [null];
const faulty = ["ask"];
const ask = { onFault: "ask" };

// prettier-ignore
const BEHAVIOURS: { readonly [name: string]: Behaviour } = {
  Says:     { call: () => ({ verdict: "allow", context: "x" }),                                                   everything: 30, processes: 0,  verdicts: ["allow"] },
  Waits:    { call: async () => Promise.resolve(undefined),                                                       everything: 15, processes: 0,  verdicts: quiet },
  Throws:   { call: () => { throw new Error("oops"); },                                                           everything: 5,  processes: 0,  verdicts: faulty },
  Never:    { call: () => new Promise(() => {}),                                                                  everything: 1,  processes: 0,  verdicts: faulty },
  Server:   { hook: { url: "@SERVER@/ok", ...ask },                                                               everything: 14, processes: 0,  verdicts: ["deny"] },
  Broken:   { hook: { url: "@SERVER@/half", ...ask },                                                             everything: 3,  processes: 0,  verdicts: faulty },
  Slow:     { hook: { url: "@SERVER@/never", timeout: "100ms", ...ask },                                          everything: 1,  processes: 0,  verdicts: faulty },
  Worker:   { hook: { command: "while read -r l; do i=${l#*\\\"id\\\":}; echo \"{\\\"id\\\":${i%%,*}}\"; done", worker: true, ...ask }, everything: 12, processes: 0, verdicts: quiet },
  Dies:     { hook: { command: "read -r l; exit 3", worker: true, ...ask },                                       everything: 1,  processes: 0,  verdicts: faulty },
  Quick:    { hook: { command: "true" },                                                                          everything: 8,  processes: 50, verdicts: quiet },
  Denies:   { hook: { command: "echo no >&2; exit 2" },                                                           everything: 3,  processes: 20, verdicts: ["deny"] },
  Missing:  { hook: { args: ["/no/such/program"], ...ask },                                                       everything: 2,  processes: 8,  verdicts: faulty },
  Signal:   { hook: { command: "kill -KILL $$", ...ask },                                                         everything: 2,  processes: 8,  verdicts: faulty },
  Floods:   { hook: { command: "head -c 100000 /dev/zero", ...ask },                                              everything: 1,  processes: 5,  verdicts: faulty },
  Hangs:    { hook: { command: "sleep 300 & sleep 300", timeout: "100ms", ...ask },                               everything: 1,  processes: 4,  verdicts: faulty },
  Forks:    { hook: { command: "sleep 300 & echo '{}'", ...ask },                                                 everything: 1,  processes: 5,  verdicts: quiet },
};

/** How much, how fast, and who looks on. */
export interface SoakOptions {
  readonly mix: "everything" | "processes";
  readonly atOnce: number;
  readonly seed: number;
  /** Whether it goes on after so many events and milliseconds. */
  readonly goesOn: (events: number, ms: number) => boolean;
  /** Milliseconds between looks; each look is told. */
  readonly lookMs: number;
  readonly onLook: (look: Look) => void;
  readonly launcher?: EngineOptions["launcher"];
}

/** What was there at one moment. */
export interface Look {
  readonly seconds: number;
  readonly events: number;
  readonly heapMb: number;
  readonly rssMb: number;
  readonly descriptors: number;
  readonly processes: number;
  readonly files: number;
}

/** What was found at the end. */
export interface SoakReport {
  readonly events: number;
  readonly looks: readonly Look[];
  readonly problems: readonly string[];
}

/** Events of one engine; then it is closed and another one goes on, as sessions come and go. */
const EVENTS_EACH = 2_500;
/** Growth of the heap between the second and the last quarter that is no leak. */
const HEAP_SLACK_MB = 8;
const LIMIT_BYTES = 65_536;

/** Fires until it is enough, and counts what is left. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-soak-"));
  const mark = marker();
  const { server, url } = await serve();
  const problems: string[] = [];
  const looks: Look[] = [];
  const random = seeded(options.seed);
  const names = Object.entries(BEHAVIOURS).flatMap(([name, behaviour]) => Array.from({ length: behaviour[options.mix] }, () => name));
  const started = performance.now();
  const descriptorsBefore = descriptors();
  let events = 0;
  const look = (): void => {
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    const mb = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;
    const seen = {
      seconds: Math.round((performance.now() - started) / 1_000),
      events,
      heapMb: mb(heapUsed),
      rssMb: mb(rss),
      descriptors: descriptors(),
      processes: marked(mark).length,
      files: readdirSync(join(folder, "tmp")).length,
    };
    looks.push(seen);
    options.onLook(seen);
  };
  const goesOn = (): boolean => options.goesOn(events, performance.now() - started) && problems.length < 20;
  mkdirSync(join(folder, "tmp"));
  try {
    for (let lookedAt = started; goesOn();) {
      const engine = await open(folder, { url, mark, launcher: options.launcher });
      const last = events + EVENTS_EACH;
      const work = async (): Promise<void> => {
        while (goesOn() && events < last) {
          events++;
          const name = random.pick(names);
          const { verdict } = await engine.fire({ name: "tool.before", tool: { name, input: { command: "x" } } });
          if (!BEHAVIOURS[name]?.verdicts.includes(verdict)) problems.push(`${name}: the verdict is ${verdict}`);
          if (performance.now() - lookedAt > options.lookMs) {
            lookedAt = performance.now();
            look();
          }
        }
      };
      await Promise.all(Array.from({ length: options.atOnce }, work));
      await engine.close();
    }
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    problems.push(...(await leftovers(folder, mark, descriptorsBefore)));
    look();
    problems.push(...growth(looks));
    return { events, looks, problems };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function open(
  folder: string,
  { url, mark, launcher }: { readonly url: string; readonly mark: ReturnType<typeof marker>; readonly launcher: EngineOptions["launcher"] },
): Promise<Engine> {
  const hooks = Object.entries(BEHAVIOURS).flatMap(([matcher, { hook }]) => (hook ? [{ matcher, env: { [mark.name]: mark.value }, ...hook }] : []));
  writeFiles(folder, {
    "hooks.json": JSON.stringify({ hooks: { "tool.before": hooks.map(({ env, ...hook }) => ("url" in hook ? hook : { ...hook, env })) } }).replaceAll(
      "@SERVER@",
      url,
    ),
  });
  return createEngine({
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: join(folder, "tmp") },
    configs: [{ file: "hooks.json", dialect: "snaphook" }],
    limitBytes: LIMIT_BYTES,
    ...(launcher && { launcher }),
    hooks: Object.entries(BEHAVIOURS).flatMap(([name, { call }]) =>
      call ? [defineHook({ event: "tool.before", name, matcher: [name], timeoutMs: 200, call: async () => Object(await call()) })] : [],
    ),
  });
}

async function serve(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === "/ok") response.end('{"verdict":"deny","reason":"no"}');
    if (request.url === "/half") response.end('{"verdict":');
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}` };
}

const descriptors = (): number => readdirSync("/proc/self/fd").length;

/** What the open descriptors are. */
function targets(): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [`${fd} ${readlinkSync(`/proc/self/fd/${fd}`)}`];
    } catch {
      return []; // the one that reads the list
    }
  });
}

/** What must be gone when the last engine is closed. Connections that are kept open for a moment end by themselves. */
async function leftovers(folder: string, mark: ReturnType<typeof marker>, before: number): Promise<readonly string[]> {
  const isGone = await until(() => marked(mark).length === 0 && descriptors() <= before && readdirSync(join(folder, "tmp")).length === 0, 15_000);
  if (isGone) return [];
  return [
    ...marked(mark).map((line) => `a process is left: ${line}`),
    ...(descriptors() > before ? [`${descriptors() - before} descriptors are left, of ${targets().join(", ")}`] : []),
    ...readdirSync(join(folder, "tmp")).map((name) => `a file is left: ${name}`),
  ];
}

/** A heap that keeps growing: the last quarter of the looks against the second. The first is warming up. */
function growth(looks: readonly Look[]): readonly string[] {
  const quarter = Math.floor(looks.length / 4);
  if (quarter < 2 || !globalThis.gc) return [];
  const median = (part: readonly Look[]): number => part.map(({ heapMb }) => heapMb).toSorted((left, right) => left - right)[Math.floor(part.length / 2)] ?? 0;
  const [early, late] = [median(looks.slice(quarter, 2 * quarter)), median(looks.slice(-quarter))];
  return late > early + HEAP_SLACK_MB ? [`the heap grew from ${early} MB to ${late} MB`] : [];
}
