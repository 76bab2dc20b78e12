/** A process that approves folders in a loop and says so after each, until it is killed: `writer.ts CONFIG STATE NAME COUNT`. */
import { writeSync } from "node:fs";
import { createHash } from "node:crypto";
import { approve } from "../../src/trust/approve.ts";
import type { Content } from "../../src/trust/content.ts";
import { ruleEntry } from "../../src/trust/entry.ts";

const [configDir = "", stateDir = "", name = "", count = "0"] = process.argv.slice(2);

for (let round = 0; round < Number(count); round++) {
  const folder = `/folders/${name}-${round % 3}`;
  const { at } = approve([contentWith(`${name} ${round}\n`.repeat(50))], { folder, shelf: { configDir, stateDir }, now: new Date() });
  writeSync(1, `${folder} ${at} ${round}\n`);
}

function contentWith(text: string): Content {
  const entry = ruleEntry({ verdict: "allow", text: "Bash(true)" }, { root: "/folders" });
  const sha256 = createHash("sha256").update(text).digest("hex");
  return {
    entry,
    hash: `sha256:${sha256}`,
    spec: entry.spec,
    files: [{ path: "guard.sh", sha256, size: text.length }],
    programs: [],
    interpreters: [],
    texts: new Map([["guard.sh", text]]),
    open: [],
    missing: [],
    refused: null,
    watch: new Map(),
    firm: true,
    found: new Map(),
    way: [],
  };
}
