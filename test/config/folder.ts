/** A real folder with files, gone when the test ends. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Files by path: their text, or text and mode. */
export type Files = { readonly [path: string]: string | { readonly text: string; readonly mode: number } };

/** Makes the folder. */
export function folderWith(files: Files = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "snaphook-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, file] of Object.entries(files)) {
    const { text, mode } = typeof file === "string" ? { text: file, mode: 0o644 } : file;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), mode);
  }
  return folder;
}
