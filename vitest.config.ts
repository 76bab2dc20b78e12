import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification, type Vite } from "vitest/node";

/** Cases and stories mostly wait: started first, they leave the processor to the rest. */
const FIRST = ["test/conformance/", "test/stories/", "test/daemon/", "test/faults/", "test/package"];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = FIRST.findIndex((folder) => moduleId.includes(`/${folder}`));
  return place < 0 ? FIRST.length : place;
}

/** These start a program that stands beside them: a process of plain JavaScript starts in a tenth of the time that one of TypeScript takes. */
const STARTERS = ["audit/reader", "runners/worker-module"];

/** Lets the modules that start programs of ours look for them where they are built. */
const builtPrograms: Vite.Plugin = {
  name: "built-programs",
  enforce: "pre",
  transform(code, id) {
    const name = STARTERS.find((each) => id.endsWith(`/src/${each}.ts`));
    const built = new URL(`dist/${name}.js`, import.meta.url);
    return name !== undefined && existsSync(fileURLToPath(built)) ? code.replaceAll("import.meta.url", JSON.stringify(built.href)) : undefined;
  },
};

export default defineConfig({
  plugins: [builtPrograms],
  test: {
    include: ["test/**/*.test.ts"],
    // Files share a process each worker: ten times faster, and nothing here keeps global state.
    isolate: false,
    // Processes, not threads: some tests count their own open descriptors.
    pool: "forks",
    // More than a small machine has processors, because many tests wait for processes.
    maxWorkers: 5,
    testTimeout: 30_000,
    // On a busy machine a process may be late once; twice in a row it is broken. The report tells what was tried again.
    retry: process.env["CI"] === "true" ? 1 : 0,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
  },
});
