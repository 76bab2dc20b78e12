/** npm run bench:plots [-- FILE]: draws the charts and writes the table of docs/performance.md, from the result of a run. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RESULT, ROOT } from "./places.ts";
import { charts, withTable } from "./plot/page.ts";
import { isReport } from "./report.ts";

const file = process.argv[2] ?? RESULT;
const report: unknown = JSON.parse(readFileSync(file, "utf8"));
if (!isReport(report)) throw new Error(`${file} is not the result of a run; npm run bench -- --series --save FILE writes one`);
const page = join(ROOT, "docs/performance.md");
const images = join(ROOT, "docs/images");
mkdirSync(images, { recursive: true });
for (const [name, svg] of charts(report)) writeFileSync(join(images, name), svg);
writeFileSync(page, withTable(readFileSync(page, "utf8"), report));
