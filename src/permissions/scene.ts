import type { Platform } from "../lib/host-platform.ts";
import type { Mode } from "../model/rule.ts";

export type { Platform } from "../lib/host-platform.ts";

/** The file system as an argument: the target when exactly this path is a symbolic link, nothing otherwise. */
export interface FileView {
  readLink(path: string): string | undefined;
}

/** Everything but rules that a judgement depends on; `files` is taken as one snapshot for as long as the object lives. */
export interface Scene {
  readonly mode: Mode;
  readonly cwd: string;
  /** The project root: relative path patterns start here. */
  readonly root: string;
  readonly home: string;
  /** How paths compare on the disk the call will touch. */
  readonly platform: Platform;
  readonly files: FileView;
  /** The shell that will run the text: for another than bash only exact allows are automatic. */
  readonly shell?: "bash" | "other";
  /** A monotonic clock in milliseconds; without it only sizes are bounded. */
  readonly now?: () => number;
}
