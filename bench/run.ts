/** npm run bench [-- OPTIONS]: one run, one table. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { messageOf } from "../src/lib/errors.ts";
import { nearest } from "../src/lib/nearest.ts";
import { machine, rowReport, type Report, type RowReport } from "./report.ts";
import { measure } from "./rounds.ts";
import type { Row } from "./row.ts";
import { ROWS, SERIES, TABLE } from "./rows/index.ts";
import { installPeers } from "./support/peers.ts";
import { textTable } from "./table.ts";

const HELP = `npm run bench -- [OPTIONS]

  --only NAME     only this row; may be repeated or a list with commas (rows: ${TABLE.map(({ name }) => name).join(", ")};
                  series: ${SERIES.map(({ name }) => name).join(", ")})
  --rounds N      rounds of each row
  --quick         one round, one run a sample, nothing warm: does everything work?
  --no-peers      leave the peers out; nothing is installed
  --series        also the series that the plots are drawn from
  --json          print the result as JSON
  --save FILE     write it as JSON into a file as well
`;

const values = options();
if (values.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  const wanted = chosen(values.only?.flatMap((names) => names.split(",")));
  const { quick } = values;
  const rounds = values.rounds === undefined ? (quick ? 1 : undefined) : atLeastOne(values.rounds);
  let peers = !values["no-peers"];
  const problem = peers ? installPeers() : null;
  if (problem !== null) {
    process.stderr.write(`bench: ${problem}; they are left out\n`);
    peers = false;
  }
  const given = process.argv.slice(2).filter((each, index, all) => each !== "--save" && all[index - 1] !== "--save" && each !== "--json");
  const before = machine(["npm run bench", ...(given.length > 0 ? ["--", ...given] : [])].join(" "));
  const reports: RowReport[] = [];
  for (const [index, row] of wanted.entries()) {
    process.stderr.write(`bench: ${index + 1} of ${wanted.length}, ${row.what}\n`);
    reports.push(rowReport(row, await measure(row, { rounds, peers, quick })));
  }
  const isSeries = (report: RowReport): boolean => SERIES.some(({ name }) => name === report.name);
  const report: Report = { machine: before, rows: reports.filter((each) => !isSeries(each)), series: reports.filter(isSeries) };
  if (values.save !== undefined) writeFileSync(values.save, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${textTable(report)}\n`);
}

function options() {
  try {
    return parseArgs({
      options: {
        only: { type: "string", multiple: true },
        rounds: { type: "string" },
        quick: { type: "boolean", default: false },
        "no-peers": { type: "boolean", default: false },
        series: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        save: { type: "string" },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return refuse(`${messageOf(error)}\n\n${HELP}`);
  }
}

function chosen(names: readonly string[] | undefined): readonly Row[] {
  if (!names) return values.series ? ROWS : TABLE;
  return names.map((name) => {
    const row = ROWS.find((each) => each.name === name);
    if (row) return row;
    const known = ROWS.map((each) => each.name);
    const meant = nearest(name, known);
    return refuse(`there is no row "${name}"${meant === undefined ? "" : `, did you mean "${meant}"?`} Rows: ${known.join(", ")}`);
  });
}

function atLeastOne(text: string): number {
  const rounds = Number(text);
  if (Number.isInteger(rounds) && rounds > 0) return rounds;
  return refuse(`--rounds takes a whole number above 0, not "${text}"`);
}

function refuse(why: string): never {
  process.stderr.write(`bench: ${why}\n`);
  return process.exit(64);
}
