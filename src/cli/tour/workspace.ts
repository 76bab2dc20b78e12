import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

/** A fresh copy of the example: nothing is written into the package, and nothing of the user's is read. */
export interface Workspace {
  readonly project: string;
  readonly home: string;
  readonly temp: string;
  remove(): Promise<void>;
}

/** The folder of the example that becomes the home folder. */
const HOME = "home";

/** Copies the example into a temporary folder: the project on one side, the home folder on the other. */
export async function copyExample(example: string, tempDir: string = tmpdir()): Promise<Workspace> {
  const root = await realpath(await mkdtemp(join(tempDir, "snaphook-tour-")));
  const [project, home, temp] = [join(root, "project"), join(root, HOME), join(root, "temp")];
  await mkdir(temp);
  await cp(example, project, { recursive: true, filter: (path) => relative(example, path) !== HOME });
  await cp(join(example, HOME), home, { recursive: true });
  await closeToOthers(root);
  return { project, home, temp, remove: async () => rm(root, { recursive: true, force: true }) };
}

/** The copy has the modes of the package, which may have been unpacked writable for everyone: such files can't be trusted. */
async function closeToOthers(root: string): Promise<void> {
  for (const name of await readdir(root, { recursive: true })) {
    const { mode } = await stat(join(root, name));
    await chmod(join(root, name), mode & 0o755);
  }
}
