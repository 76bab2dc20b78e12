import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

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

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Files share a process each worker: ten times faster, and nothing here keeps global state.
    isolate: false,
    // Processes, not threads: some tests count their own open descriptors.
    pool: "forks",
    // One more than the processors of a small machine, because many tests wait for processes.
    maxWorkers: 3,
    testTimeout: 30_000,
    // On a busy machine a process may be late once; twice in a row it is broken. The report tells what was tried again.
    retry: process.env["CI"] === "true" ? 1 : 0,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
  },
});
