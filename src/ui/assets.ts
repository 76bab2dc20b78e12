/** The built page, read once: only what was listed at the start can be asked for. */
import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";

/** One file of the page. */
export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

const TYPES: { readonly [ending: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Every file below a folder, by the path in its address. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const address = path.slice(folder.length).replaceAll("\\", "/").replace(/^\/*/, "/");
    assets.set(address === "/index.html" ? "/" : address, { body: new Uint8Array(readFileSync(path)), type });
  }
  return assets;
}
