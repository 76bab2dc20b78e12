/** The audit log as one file that plain Node can load: processes that only write and die start in a moment. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundled } from "../../support/killing.ts";

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
  const path = await bundled(input, folder, { name: "audit.mjs", external: ["libsql"] });
  return {
    path,
    writer: fileURLToPath(new URL("./writer.mjs", import.meta.url)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
