/** How a command becomes a program with arguments: one row a launch, one column a platform. */
import type { Action, Launch } from "../model/hook.ts";

interface LaunchRow {
  readonly posix: readonly string[];
  readonly windows: readonly string[];
}

const LAUNCHES: { readonly [launch in Exclude<Launch, "argv">]: LaunchRow } = {
  "sh -c": { posix: ["/bin/sh", "-c"], windows: ["cmd.exe", "/d", "/s", "/C"] },
  "sh -lc": { posix: ["/bin/sh", "-lc"], windows: ["cmd.exe", "/d", "/s", "/C"] },
};

/** The program and its arguments. */
export function launchOf(
  action: Extract<Action, { type: "command" }>,
  platform: "posix" | "windows",
): { readonly file: string; readonly args: readonly string[] } {
  const words = action.launch === "argv" ? (action.args ?? [action.command]) : [...LAUNCHES[action.launch][platform], action.command];
  const [file = "", ...args] = words;
  return { file, args };
}
