/** Puts a text into a file so that nobody ever sees half of it. */
import { randomUUID } from "node:crypto";
import { chmod, chown, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../../lib/errors.ts";

/** What stands at a path before it is written. */
export type Standing =
  | { readonly kind: "nothing" }
  | { readonly kind: "file"; readonly mode: number }
  | { readonly kind: "folder" }
  | { readonly kind: "special" };

/** Looks, following links. */
export async function standingAt(path: string): Promise<Standing> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return { kind: "folder" };
    return found.isFile() ? { kind: "file", mode: found.mode & 0o7777 } : { kind: "special" };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { kind: "nothing" };
    throw error;
  }
}

/** Writes the whole text beside the file and puts it in its place; mode, owner and links stay. */
export async function storeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const target = await realpath(path).catch(() => undefined);
  // A new file needs no guard, and a link that leads nowhere yet is followed only by a plain write.
  if (target === undefined) return writeFile(path, text);
  const beside = join(dirname(target), `.${basename(target).slice(0, 64)}.${randomUUID().slice(0, 8)}.tmp`);
  const { mode, uid, gid } = await stat(target);
  try {
    await writeFile(beside, text, { flag: "wx", mode: 0o600 });
    await chown(beside, uid, gid).catch(() => {});
    await chmod(beside, mode & 0o7777);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    if (!IN_PLACE.includes(codeOf(error) ?? "")) throw error;
    await writeFile(target, text);
  }
}

/** The folder can't be changed, or the file is a mount of its own: then it is written in place. */
const IN_PLACE: readonly string[] = ["EACCES", "EPERM", "EBUSY", "EXDEV", "EROFS"];
