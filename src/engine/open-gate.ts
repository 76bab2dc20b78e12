import type { FileView } from "../permissions/scene.ts";
import type { Gate, GateOptions } from "./judge.ts";

/** Opens a gate for one engine; `self` is the process that /proc/self stands for. */
export type GateMaker = (self: number | undefined) => Gate;

/** How long places of path rules are taken from one look at the disk; the paths of a call are looked up each time. */
const VIEW_AGE_MS = 1_000;

/** The shell grammar and its tables are loaded only where there is something to judge. */
export async function gateMaker(options: Pick<GateOptions, "rules" | "mode" | "permits" | "root" | "home">): Promise<GateMaker> {
  const [{ Gate }, { compilePolicy }, { diskFiles }] = await Promise.all([
    import("./judge.ts"),
    import("../permissions/rules.ts"),
    import("../permissions/file-view-disk.ts"),
  ]);
  const platform = process.platform === "win32" ? "windows" : process.platform === "darwin" ? "case-insensitive" : "posix";
  const policy = compilePolicy(options.rules);
  return (self) => {
    let view = { files: diskFiles(self), madeMs: performance.now() };
    const files = (): FileView => {
      if (performance.now() - view.madeMs > VIEW_AGE_MS) view = { files: diskFiles(self), madeMs: performance.now() };
      return view.files;
    };
    return new Gate({ ...options, policy, platform, files });
  };
}
