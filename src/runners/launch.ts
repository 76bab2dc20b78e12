/** How a command becomes a program with arguments: one row a launch, one column a platform. */
import type { Action, Launch } from "../model/hook.ts";

interface LaunchRow {
  readonly posix: readonly string[];
  readonly windows: readonly string[];
  /** Whether the POSIX shell reads a profile first. */
  readonly login: boolean;
}

const LAUNCHES: { readonly [launch in Exclude<Launch, "argv">]: LaunchRow } = {
  "sh -c": { posix: ["/bin/sh", "-c"], windows: ["cmd.exe", "/d", "/s", "/C"], login: false },
  "sh -lc": { posix: ["/bin/sh", "-lc"], windows: ["cmd.exe", "/d", "/s", "/C"], login: true },
};

/** A program with its arguments. */
export interface LaunchWords {
  readonly file: string;
  readonly args: readonly string[];
  readonly login: boolean;
}

/** The program and its arguments. */
export function launchOf(action: Extract<Action, { type: "command" }>, platform: "posix" | "windows"): LaunchWords {
  if (action.launch === "argv") return wordsOf(action.args ?? [action.command], false);
  const row = LAUNCHES[action.launch];
  return wordsOf([...row[platform], action.command], row.login && platform === "posix");
}

function wordsOf([file = "", ...args]: readonly string[], login: boolean): LaunchWords {
  return { file, args, login };
}
