/** The audit log as one file that plain Node can load: processes that only write and die start in a moment. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

/** A bundle, and how to be rid of it. */
export interface AuditBundle {
  readonly path: string;
  readonly writer: string;
  remove(): void;
}

/** Bundles `src/audit`. */
export async function bundleAudit(): Promise<AuditBundle> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "snaphook-audit-bundle-")));
  const input = fileURLToPath(new URL("../../../src/audit/index.ts", import.meta.url));
  await build({
    input,
    platform: "node",
    external: ["libsql"],
    output: { file: join(folder, "audit.mjs"), format: "esm", codeSplitting: false },
    logLevel: "silent",
  });
  return {
    path: join(folder, "audit.mjs"),
    writer: fileURLToPath(new URL("./writer.mjs", import.meta.url)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
