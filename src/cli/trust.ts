import { realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stateFolder, surroundings } from "../config/locate.ts";
import { SnaphookError } from "../model/errors.ts";
import { approve, changesOf, type Shelf } from "../trust/approve.ts";
import { pairUp } from "../trust/compare.ts";
import type { Content } from "../trust/content.ts";
import { LOCK_NAME, lockText } from "../trust/lock.ts";
import { listRecords, readRecord, removeRecord, type FolderRecord } from "../trust/record.ts";
import { day } from "../trust/standing.ts";
import type { Command, Surface, Words } from "./command.ts";
import { alignColumns } from "./render/columns.ts";
import { counted } from "./render/text.ts";
import { contentJson, contentsText, type TrustPage } from "./trust/page.ts";
import { reviewJson, reviewText } from "./trust/review.ts";
import { survey } from "./trust/survey.ts";

/** `snaphook trust [DIR]`. */
export const trustCommand: Command = {
  summary: "approve what comes with a folder, by content: hooks, allow rules, MCP servers, subagents",
  usage: "trust [DIR] [--yes] | --review | --revoke | --list | --lock",
  options: {
    yes: { type: "boolean", short: "y", help: "approve what is here without a question" },
    review: { type: "boolean", help: "show what changed since the last approval; approve nothing" },
    revoke: { type: "boolean", help: "take the trust in the folder back" },
    list: { type: "boolean", help: "list the trusted folders" },
    lock: { type: "boolean", help: `write ${LOCK_NAME}, to be reviewed, committed and used with --frozen` },
  },
  notes: [
    "What a repository brings along runs only as it was approved: the hash covers what an entry says, the bytes of every file",
    "of the folder that it names, and where its programs are found. What changes is left out until it is approved again; a hook",
    "whose files change while it runs counts only when it denies.",
    "In a terminal it shows everything and asks; elsewhere the command itself is the approval. Ends with 78 when something",
    "could not be trusted: a file that others can write, or that belongs to somebody else.",
  ],
  run: async (words, surface) => {
    const wanted = MODES.filter((mode) => words.flags[mode]);
    if (wanted.length > 1) throw new SnaphookError("SNAP_USAGE", { message: `--${wanted.join(" and --")} are different things: use one of them` });
    if (words.positionals.length > 1) throw new SnaphookError("SNAP_USAGE", { message: "trust takes one folder" });
    const [mode] = wanted;
    return mode === "list" ? list(words, surface) : RUNS[mode ?? "approve"](sceneOf(words, surface));
  },
};

const MODES = ["review", "revoke", "list", "lock"] as const;

interface TrustScene {
  /** The folder as it was named, and its real path, under which approvals are kept. */
  readonly cwd: string;
  readonly folder: string;
  readonly shelf: Shelf;
  readonly page: TrustPage;
  readonly words: Words;
  readonly surface: Surface;
}

function sceneOf(words: Words, surface: Surface): TrustScene {
  const { env, terminal } = surface;
  const cwd = resolve(surface.cwd, words.positionals[0] ?? ".");
  const around = surroundings({ cwd, env });
  const shelf = { configDir: around.config, stateDir: stateFolder(env) };
  return { cwd, folder: realFolder(cwd), shelf, page: { folders: { cwd, home: around.home }, terminal }, words, surface };
}

function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    throw new SnaphookError("SNAP_USAGE", { message: `${cwd} does not exist` });
  }
}

const RUNS: { readonly [mode in "approve" | "review" | "revoke" | "lock"]: (scene: TrustScene) => number | Promise<number> } = {
  approve: async (scene) => {
    const { cwd, folder, shelf, page, words, surface } = scene;
    const contents = await survey(cwd, surface);
    const refused = contents.filter((content) => content.refused !== null);
    if (!words.flags["json"]) surface.stdout(`${folder}\n\n${contentsText(contents, page)}${contents.length === 0 ? "nothing here needs trust\n" : "\n"}`);
    if (!(await agreed(contents, scene))) {
      surface.stdout("nothing was trusted\n");
      return 0;
    }
    const record = approve(contents, { folder, shelf, now: new Date() });
    if (words.flags["json"]) surface.stdout(`${JSON.stringify({ folder, at: record.at, entries: contents.map(contentJson) })}\n`);
    else surface.stdout(`trusted: ${folder} (${counted(record.entries.length, "thing")}${refused.length > 0 ? `, ${refused.length} refused` : ""})\n`);
    return refused.length > 0 ? NOT_ALL : 0;
  },
  review: async ({ cwd, folder, shelf, page, words, surface }) => {
    const record = recordOf(folder, shelf);
    const pairs = pairUp(await survey(cwd, surface), record?.entries ?? []);
    const reviewed = pairs.map((pair) => ({ pair, changes: pair.kind === "same" ? [] : changesOf(pair, shelf) }));
    const since = record?.at ?? null;
    surface.stdout(words.flags["json"] ? `${JSON.stringify(reviewJson(reviewed, { folder, since }))}\n` : reviewText(reviewed, since, page));
    return 0;
  },
  revoke: ({ folder, shelf, words, surface }) => {
    const removed = removeRecord(shelf.configDir, folder);
    if (words.flags["json"]) surface.stdout(`${JSON.stringify({ folder, revoked: removed })}\n`);
    else surface.stdout(removed ? `no longer trusted: ${folder}\n` : `it was not trusted: ${folder}\n`);
    return 0;
  },
  lock: async ({ cwd, words, surface }) => {
    const contents = await survey(cwd, surface);
    const refused = contents.find((content) => content.refused !== null);
    if (refused) throw new SnaphookError("SNAP_NOT_TRUSTED", { message: `${refused.entry.label} cannot be locked: ${refused.refused}` });
    const path = join(cwd, LOCK_NAME);
    const text = lockText(contents, cwd);
    writeFileSync(path, text);
    surface.stdout(words.flags["json"] ? text : `${path}: ${counted(contents.length, "thing")} locked; review it, commit it, run with --frozen\n`);
    return 0;
  },
};

/** Something could not be trusted. */
const NOT_ALL = 78;

/** In a terminal people are asked; elsewhere whoever typed the command has decided. */
async function agreed(contents: readonly Content[], { words, surface }: TrustScene): Promise<boolean> {
  if (words.flags["yes"] || words.flags["json"] || contents.length === 0 || !surface.stdinIsTerminal || !surface.terminal.isTerminal) return true;
  surface.stdout("Trust all of this, as it is now? [y/N] ");
  for await (const line of surface.lines()) return /^\s*y(es)?\s*$/i.test(line);
  return false;
}

function recordOf(folder: string, { configDir }: Shelf): FolderRecord | null {
  const read = readRecord(configDir, folder);
  if (read.kind === "refused") throw new SnaphookError("SNAP_BAD_CONFIG", { message: read.message });
  return read.kind === "record" ? read.record : null;
}

function list({ flags }: Words, surface: Surface): number {
  const { config } = surroundings({ cwd: surface.cwd, env: surface.env });
  const { records, refused } = listRecords(config);
  if (flags["json"])
    surface.stdout(`${JSON.stringify({ folders: records.map(({ folder, at, entries }) => ({ folder, at, entries: entries.length })), refused })}\n`);
  else {
    const rows = records.map(({ folder, at, entries }) => [folder, day(at), counted(entries.length, "thing")]);
    surface.stdout(rows.length === 0 ? "no folder is trusted\n" : `${alignColumns(rows).join("\n")}\n`);
    for (const message of refused) surface.stderr(`snaphook: ${message}\n`);
  }
  return refused.length > 0 ? NOT_ALL : 0;
}
