// npm run soak -- [--minutes N] [--at-once N] [--seed N]: events through all runners, some of them broken, until the time is up.
// npm run leaks -- [--runs N] [--at-once N]: so many hook processes, nearly half of them broken.
// Both print what is there over time and end with 1 when something is left, was decided wrongly, or keeps growing.
import { parseArgs } from "node:util";
import { soak, type Look } from "../test/faults/soak.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    runs: { type: "string" },
    mix: { type: "string", default: "everything" },
    "at-once": { type: "string", default: "64" },
    seed: { type: "string", default: "1" },
    launcher: { type: "string" },
  },
});
const minutes = Number(values.minutes ?? 10);
const runs = values.runs === undefined ? null : Number(values.runs);
/** As many looks as fit on a page. */
const LOOKS = 40;
const LEAST_EVENTS_A_MINUTE = 5_000;

function row({ seconds, events, heapMb, rssMb, descriptors, processes, files }: Look): string {
  return [seconds, events, heapMb, rssMb, descriptors, processes, files].map((value) => String(value).padStart(11)).join("");
}

console.log(["seconds", "events", "heap MB", "RSS MB", "descriptors", "processes", "files"].map((word) => word.padStart(11)).join(""));
const { events, problems } = await soak({
  mix: values.mix === "processes" ? "processes" : "everything",
  atOnce: Number(values["at-once"]),
  seed: Number(values.seed),
  goesOn: (made, ms) => (runs === null ? ms < minutes * 60_000 || made < minutes * LEAST_EVENTS_A_MINUTE : made < runs),
  lookMs: runs === null ? (minutes * 60_000) / LOOKS : 5_000,
  onLook: (look) => console.log(row(look)),
  ...((values.launcher === "spawn" || values.launcher === "zygote") && { launcher: values.launcher }),
});
console.log(`${events} events, ${problems.length} problems`);
for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
