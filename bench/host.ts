/** The process of one contender: opens it, answers each request for a sample, and ends with its parent. */
import { contendersOf, Unavailable, type Opened } from "./row.ts";
import { ROWS } from "./rows/index.ts";
import { messageOf } from "../src/lib/errors.ts";

const [rowName, contenderName] = process.argv.slice(2);

/** What a host tells its parent. */
export type HostMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "unavailable"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "sampled"; readonly microseconds: readonly number[] };

/** What its parent asks for. */
export type HostRequest = "sample" | "close";

process.on("disconnect", () => process.exit());
await main();

async function main(): Promise<void> {
  const row = ROWS.find(({ name }) => name === rowName);
  const found = row && contendersOf(row).find(({ contender }) => contender.name === contenderName);
  if (!found) return tell({ kind: "failed", reason: `there is no contender ${contenderName} in ${rowName}` });
  const held = hold(found.contender.heapMb ?? 0);
  let opened: Opened;
  try {
    opened = await found.contender.open();
  } catch (error) {
    return tell({ kind: error instanceof Unavailable ? "unavailable" : "failed", reason: messageOf(error) });
  }
  process.on("message", (request: HostRequest) => void answer(request, opened));
  // Held as long as the process lives.
  process.on("exit", () => held.length);
  tell({ kind: "ready" });
}

async function answer(request: HostRequest, opened: Opened): Promise<void> {
  try {
    if (request === "sample") return tell({ kind: "sampled", microseconds: await opened.sample() });
    await opened.close();
    process.exit();
  } catch (error) {
    tell({ kind: "failed", reason: messageOf(error) });
  }
}

function tell(message: HostMessage): void {
  process.send?.(message);
}

interface Link {
  readonly next: readonly Link[];
  readonly index: number;
  readonly text: string;
}

/** Fills the heap with small objects, as a long session does. */
function hold(megabytes: number): readonly Link[] {
  const links: Link[] = [];
  if (megabytes === 0) return links;
  while (links.length % 100_000 !== 0 || process.memoryUsage().heapUsed < megabytes * 1_048_576) {
    const index = links.length;
    links.push({ next: links.slice(-2), index, text: `message ${index}` });
  }
  return links;
}
