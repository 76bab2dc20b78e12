/** Which folders' own hooks may run: a list of real paths in the user's configuration. */
import { mkdir, readFile, realpath, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { parseJson } from "../lib/json.ts";

const TrustFile = v.object({ folders: v.array(v.string()) });

/** The file that lists trusted folders. */
export function trustFile(configDir: string): string {
  return join(configDir, "snaphook", "trust.json");
}

/** The folders that were trusted for good. */
export async function trustedFolders(configDir: string): Promise<readonly string[]> {
  const text = await readFile(trustFile(configDir), "utf8").catch(() => "");
  const parsed = v.safeParse(TrustFile, parseJson(text));
  return parsed.success ? parsed.output.folders : [];
}

/** Whether a folder's own hooks may run here. */
export async function isTrusted({
  folder,
  configDir,
  env,
}: {
  readonly folder: string;
  readonly configDir: string;
  readonly env: { readonly [name: string]: string | undefined };
}): Promise<boolean> {
  if (env["SNAPHOOK_TRUST"] === "all") return true;
  const real = await realpath(folder).catch(() => folder);
  return (await trustedFolders(configDir)).includes(real);
}

/** Trusts a folder, or takes the trust back. The file is replaced in one step, readable by its owner alone. */
export async function setTrust({
  folder,
  configDir,
  trusted,
}: {
  readonly folder: string;
  readonly configDir: string;
  readonly trusted: boolean;
}): Promise<void> {
  const real = await realpath(folder);
  const others = (await trustedFolders(configDir)).filter((each) => each !== real);
  const path = trustFile(configDir);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify({ folders: trusted ? [...others, real] : others }, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}
