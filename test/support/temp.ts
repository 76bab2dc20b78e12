/** Temporary folders, one for each use, removed at the end of the test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder of the running test's own, with its real path. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "snaphook-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Writes files into a folder; a text that starts with `#!` becomes executable. */
export function writeFiles(folder: string, files: { readonly [path: string]: string | object }): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}
