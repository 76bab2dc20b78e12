/** How paths compare on a disk. */
export type Platform = "posix" | "case-insensitive" | "windows";

/** By the system's name; anything else is plain. */
const PLATFORMS: ReadonlyMap<string, Platform> = new Map<string, Platform>([
  ["win32", "windows"],
  ["darwin", "case-insensitive"],
]);

/** How paths compare on this machine. */
export function hostPlatform(): Platform {
  return PLATFORMS.get(process.platform) ?? "posix";
}
