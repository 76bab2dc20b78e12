/** What the tests of a dialect or of a hook need; public, so that others can test theirs. */
export { conformance, type ConformanceRow, type TestKit } from "./conformance.ts";
export { hookFor } from "./hook.ts";
export { interpretAs, payloadAs } from "./dialect.ts";
export { detached, exited, failed, notStarted, oversized, returned, signalled, timedOut } from "./runs.ts";
export { startModelServer, type ModelServer } from "./model-server.ts";
