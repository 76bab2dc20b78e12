import { cp, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
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
  return { project, home, temp, remove: async () => rm(root, { recursive: true, force: true }) };
}
