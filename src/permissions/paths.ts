import { noFiles } from "./file-view.ts";
import type { FileView, Platform } from "./scene.ts";

/** A path as the disk may understand it. */
export interface ResolvedPath {
  /** Every absolute spelling that a deny must look at: as written, and with links followed in either order. */
  readonly forms: readonly string[];
  /** Where it really leads, `..` taken before or behind links; an allow needs both. */
  readonly real: readonly [string] | readonly [string, string];
  /** Links end somewhere, and the path is no alias of something open. */
  readonly certain: boolean;
}

/** What resolving a path depends on. */
export interface Ground {
  readonly cwd: string;
  readonly home: string;
  readonly platform: Platform;
  readonly files: FileView;
}

/** Links followed before a path counts as endless. */
export const LINK_LIMIT = 40;

const PROC_ROOT = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/root(?=\/|$)/;
const PROC_CWD = /^\/proc\/(?:self|thread-self)\/cwd(?=\/|$)/;
const OPEN_FILE = /^\/(?:dev\/fd|proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(?:fd|exe|cwd|root))(?:\/|$)/;

/** Resolves a path against folder, home and links; undefined for a text that can't be one. */
export function resolvePath(text: string, ground: Ground, cwd = ground.cwd): ResolvedPath | undefined {
  if (ground.platform !== "windows") {
    if (isPlain(text)) return plainPath(text, ground.files);
    if (text.charCodeAt(0) !== TILDE && !text.startsWith("/") && hasPlainNames(text) && isPlain(cwd)) return plainPath(`${cwd}/${text}`, ground.files);
  }
  if (text === "" || text.includes("\0")) return undefined;
  const written = ground.platform === "windows" ? fromWindows(text) : text;
  const absolute = absolutePath(written, { cwd, home: ground.home });
  const lexical = withoutAliases(normalise(absolute), cwd);
  const certain = !OPEN_FILE.test(lexical) && !/^~[^/]/.test(written);
  const straight = follow(lexical, ground.files);
  const physical = absolute.includes("/..") ? follow(withoutAliases(absolute, cwd), ground.files) : straight;
  if (straight === lexical && physical === lexical) return { forms: [lexical], real: [lexical], certain };
  if (straight === undefined || physical === undefined) return { forms: [lexical], real: [lexical], certain: false };
  return { forms: [...new Set([lexical, straight, physical])], real: straight === physical ? [straight] : [straight, physical], certain };
}

const TILDE = 126;

/** Absolute, tidy, and neither alias nor open file: only links may lead elsewhere. */
function isPlain(path: string): boolean {
  return path.startsWith("/") && hasPlainNames(path) && !OF_KERNEL.test(path);
}

const OF_KERNEL = /^\/(?:proc\/|dev\/fd)/;

/** Whether the names are neither empty nor `.` nor `..`, and hold no NUL. */
function hasPlainNames(path: string): boolean {
  return !ODD_NAME.test(path);
}

/** Patterns, because they are faster than a loop over the characters. */
const ODD_NAME = /\0|\/(?:\/|$|\.\.?(?:\/|$))|^(?:$|\.\.?(?:\/|$))/;

function plainPath(path: string, files: FileView): ResolvedPath {
  if (files !== noFiles) {
    for (let slash = path.indexOf("/", 1); slash > 0; slash = path.indexOf("/", slash + 1)) {
      if (files.readLink(path.slice(0, slash)) !== undefined) return followed(path, files);
    }
    if (files.readLink(path) !== undefined) return followed(path, files);
  }
  return { forms: [path], real: [path], certain: true };
}

function followed(path: string, files: FileView): ResolvedPath {
  const real = follow(path, files);
  return real === undefined ? { forms: [path], real: [path], certain: false } : { forms: [path, real], real: [real], certain: true };
}

/** An absolute path without `.`, `..` and double slashes, links untouched. */
export function normalise(path: string): string {
  if (!UNTIDY.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

const UNTIDY = /\/\/|\/\.\.?(?:\/|$)|[^/]\/$/;

/** The path from a folder, `~` or the root. */
export function absolutePath(path: string, { cwd, home }: Pick<Ground, "cwd" | "home">): string {
  if (path.startsWith("/")) return path;
  if (path === "~" || path.startsWith("~/")) return `${home}${path.slice(1)}`;
  return `${cwd}/${path}`;
}

/** Follows links part by part, as the kernel does; undefined when they do not end. */
function follow(path: string, files: FileView): string | undefined {
  let pending = path.split("/").toReversed();
  let done = "";
  let links = 0;
  while (pending.length > 0) {
    const part = pending.pop();
    if (part === undefined || part === "" || part === ".") continue;
    if (part === "..") {
      done = done.slice(0, Math.max(done.lastIndexOf("/"), 0));
      continue;
    }
    const next = `${done}/${part}`;
    const target = files.readLink(next);
    if (target === undefined) {
      done = next;
      continue;
    }
    links += 1;
    if (links > LINK_LIMIT) return undefined;
    if (target.startsWith("/")) done = "";
    pending = [...pending, ...target.split("/").toReversed()];
  }
  return done === "" ? "/" : done;
}

/** `/proc/self/root/x` is `/x`. */
function withoutAliases(path: string, cwd: string): string {
  let current = path;
  while (PROC_ROOT.test(current)) current = normalise(`/${current.replace(PROC_ROOT, "")}`);
  return PROC_CWD.test(current) ? normalise(current.replace(PROC_CWD, cwd)) : current;
}

/** Backslashes, drive letters, streams, and the dots and blanks that Windows drops at the end of names. */
function fromWindows(text: string): string {
  const slashed = text.replace(/\\/g, "/").replace(/^\/\/[?.]\//, "");
  const drive = /^[a-zA-Z]:/.exec(slashed)?.[0];
  const rest = drive ? slashed.slice(2) : slashed;
  const parts = rest.split("/").map((part) => (/^\.{1,2}$/.test(part) ? part : part.replace(/:.*$/, "").replace(/[. ]+$/, "")));
  return drive ? `/${drive.toLowerCase()}/${parts.join("/").replace(/^\/+/, "")}` : parts.join("/");
}

/** The spelling under which a disk of this platform compares names. */
export function foldPath(path: string, platform: Platform): string {
  return platform === "posix" ? path : path.normalize("NFC").toLowerCase();
}

/** Whether a path is a folder or below it, by whole names. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
