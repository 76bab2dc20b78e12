/** What an entry stands for in bytes: what it says, every local file it names, and the programs that read them. */
import { readdirSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { hashJson } from "../lib/canonical-json.ts";
import { insidePath, isInside } from "../lib/inside.ts";
import { isProgram } from "../lib/programs.ts";
import { fitsWildcards } from "../lib/wildcards.ts";
import type { JsonObject } from "../lib/json.ts";
import type { TrustEntry, Where } from "./entry.ts";
import { FileReader, identityOf, isSame, isSettled, type Identity, type Seen } from "./files.ts";
import { namedBy, shebangOf } from "./follow.ts";
import { unsafeBecause } from "./owner.ts";
import { SYSTEM_FOLDERS } from "./tables.ts";
import type { Filling } from "./tokens.ts";
import { wayTo } from "./way.ts";
import type { NamedWord, Role } from "./words.ts";

/** A file that an entry names, by its real path: relative in the folder, `~` at home, else whole. */
export interface ContentFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/** A program that is started, and where it was found. */
export interface ContentProgram {
  readonly name: string;
  readonly path: string;
}

/** An entry with all that its hash covers. */
export interface Content {
  readonly entry: TrustEntry;
  /** Covers what the entry says, the bytes of its files and the paths of its programs. */
  readonly hash: string;
  readonly spec: JsonObject;
  readonly files: readonly ContentFile[];
  readonly programs: readonly ContentProgram[];
  /** The names of the programs, found or not. */
  readonly interpreters: readonly string[];
  /** Texts of the files, where they are short texts. */
  readonly texts: ReadonlyMap<string, string>;
  /** Words of which only the run can tell what they name. */
  readonly open: readonly string[];
  /** Scripts and programs that it names by path and that are not there. */
  readonly missing: readonly string[];
  /** Why it may not run whatever was approved. */
  readonly refused: string | null;
  /** Paths whose identity tells that nothing has changed; undefined: nothing was there. */
  readonly watch: ReadonlyMap<string, Identity | undefined>;
  /** The identities can be relied on: no file was touched just before it was read. */
  readonly firm: boolean;
  /** The files by every path under which they were found. */
  readonly found: ReadonlyMap<string, FoundFile>;
  /** The folders and links that lead to them, up to the folder that is approved. */
  readonly way: readonly string[];
}

/** A file as it was when it was hashed. */
export interface FoundFile {
  readonly real: string;
  readonly sha256: string;
  readonly mode: number;
}

/** Files of one entry, at most: beyond this it is refused. */
const FILE_COUNT_LIMIT = 256;
const WORD_LIMIT = 2_000;
/** How deep scripts are followed that name scripts, and how far each is read for that. */
const FOLLOW_LIMIT = 6;
const FOLLOWED_TEXT = 65_536;

/** Looks at everything an entry names, from the folder in which it runs. */
export function contentOf(entry: TrustEntry, { where, cwd, reader }: { readonly where: Where; readonly cwd: string; readonly reader: FileReader }): Content {
  const look = new Look(entry, { where, cwd, reader });
  look.run();
  const files = [...look.files.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const programs = [...look.programs.values()].toSorted((left, right) => (left.name + left.path < right.name + right.path ? -1 : 1));
  const bytes = files.map(({ path, sha256 }) => [path, sha256]);
  return {
    entry,
    hash: hashJson({ spec: entry.spec, files: bytes, programs: programs.map(({ name, path }) => [name, path]) }),
    spec: entry.spec,
    files,
    programs,
    interpreters: [...look.names].toSorted(),
    texts: look.texts,
    open: look.open,
    missing: [...look.missing],
    refused: look.refused,
    watch: look.watch,
    firm: look.firm,
    found: look.found,
    way: wayTo(look.found, [...look.grounds, where.root]),
  };
}

/** The hash for another clone: programs count by name, which the entry and its files say. */
export function portableHash({ spec, files }: Pick<Content, "spec" | "files">): string {
  return hashJson({ spec, files: files.map(({ path, sha256 }) => [path, sha256]) });
}

/** Whether everything that was looked at still has its identity. */
export function isUntouched({ watch, firm }: Content): boolean {
  if (!firm) return false;
  for (const [path, identity] of watch) if (!isSame(identityOf(path), identity)) return false;
  return true;
}

/** One look at an entry. */
class Look {
  readonly files = new Map<string, ContentFile>();
  readonly programs = new Map<string, ContentProgram>();
  readonly names = new Set<string>();
  readonly texts = new Map<string, string>();
  readonly watch = new Map<string, Identity | undefined>();
  readonly found = new Map<string, FoundFile>();
  readonly missing = new Set<string>();
  open: readonly string[] = [];
  refused: string | null = null;
  firm = true;
  readonly #entry: TrustEntry;
  readonly #where: Where;
  readonly #cwd: string;
  readonly #reader: FileReader;
  readonly #checked = new Set<string>();
  /** Real paths: of the folder that is approved, and of every folder whose files are the entry's own. */
  readonly #root: string;
  readonly grounds: readonly string[];

  constructor(entry: TrustEntry, { where, cwd, reader }: { where: Where; cwd: string; reader: FileReader }) {
    this.#entry = entry;
    this.#where = where;
    this.#cwd = cwd;
    this.#reader = reader;
    this.#root = realOf(entry.folder);
    this.grounds = [...new Set([this.#root, realOf(where.root), ...(entry.base === null ? [] : [realOf(entry.base)])])];
  }

  run(): void {
    const { source, files, words } = this.#entry;
    if (source && isAbsolute(source.file)) this.#checkOwner(source.file);
    for (const file of files) this.#path(file, "script", 0);
    const { words: named, open } = words(this.#filling());
    this.open = open;
    for (const word of this.#followable(named)) this.#word(word);
  }

  #followable<Named>(named: readonly Named[]): readonly Named[] {
    if (named.length > WORD_LIMIT) this.refused ??= `it names more than ${WORD_LIMIT} words that could be files`;
    return named.slice(0, WORD_LIMIT);
  }

  #filling(): Filling {
    const { env } = this.#entry;
    return {
      variable: (name) => (/^\d|^\W/.test(name) ? undefined : (env[name] ?? (name === "PWD" ? this.#cwd : (this.#where.env[name] ?? "")))),
      substitution: (command) => (/^\s*(git rev-parse --show-toplevel.*|pwd( -P)?)\s*$/.test(command) ? this.#where.root : undefined),
    };
  }

  #word({ text, role, glob }: NamedWord): void {
    if (role === "program" && !text.includes("/")) return this.#program(text);
    const places = this.#places(text);
    if (role !== "file" && !glob && /[./]/.test(text) && places.every((path) => identityOf(path) === undefined)) this.missing.add(text);
    for (const path of places) {
      if (glob && (role !== "file" || text.includes("/"))) this.#glob(path, role);
      else this.#path(path, role, 0);
    }
  }

  /** Where a relative path may be meant from: the folder of the run, and the plugin's. */
  #places(text: string, more: readonly string[] = []): readonly string[] {
    const path = text === "~" || text.startsWith("~/") ? join(this.#where.home, text.slice(1)) : text;
    if (isAbsolute(path)) return [path];
    const { base } = this.#entry;
    return [...new Set([this.#cwd, ...(base === null ? [] : [base]), ...more])].map((folder) => resolve(folder, path));
  }

  /** A bare name is looked up as the shell does. What the folder itself puts there is a file of the folder. */
  #program(name: string): void {
    this.names.add(name);
    for (const folder of (this.#entry.env["PATH"] ?? this.#where.env["PATH"] ?? "").split(delimiter)) {
      const path = resolve(this.#cwd, folder, name);
      const own = this.#isOurs(path);
      if (own) this.watch.set(path, identityOf(path));
      if (!isProgram(path)) continue;
      this.#take(name, path);
      if (own || this.#isOurs(realOf(path))) this.#path(path, "program", 0);
      return;
    }
  }

  #take(name: string, path: string): void {
    this.programs.set(`${name} ${path}`, { name, path: insidePath(path, this.#entry.folder) ?? path });
  }

  #isOurs(path: string): boolean {
    return this.grounds.some((ground) => isInside(path, ground)) || isInside(path, this.#where.root);
  }

  #path(path: string, role: Role, depth: number): void {
    if (this.files.size > FILE_COUNT_LIMIT) return void (this.refused ??= `it names more than ${FILE_COUNT_LIMIT} files`);
    const seen = this.#reader.see(path);
    if (seen.kind === "absent") return this.#watch(path, seen);
    const ours = this.#isOurs(seen.real);
    if (!ours && role !== "file" && SYSTEM_FOLDERS.some((folder) => isInside(seen.real, folder))) return this.#take(path, seen.real);
    this.#watch(path, seen);
    if (role === "file" && !ours) return;
    if (seen.kind === "refused") return void (this.refused ??= seen.reason);
    if (seen.kind === "folder") return role === "file" ? undefined : this.#folder(seen.real, depth);
    this.found.set(path, { real: seen.real, sha256: seen.sha256, mode: seen.identity.mode });
    const shown = insidePath(seen.real, this.#root) ?? this.#atHome(seen.real);
    if (this.files.has(shown)) return;
    this.files.set(shown, { path: shown, sha256: seen.sha256, size: seen.size });
    if (seen.text !== null) this.texts.set(shown, seen.text);
    this.#checkOwner(seen.real);
    if (role !== "file" && seen.text !== null && depth < FOLLOW_LIMIT) this.#follow(seen.real, seen.text, depth + 1);
  }

  /** What a program that is a script reads in turn. */
  #follow(real: string, text: string, depth: number): void {
    const shebang = shebangOf(text);
    if (shebang) {
      this.names.add(basename(shebang.name ?? shebang.path));
      this.#path(shebang.path, "program", depth);
      if (shebang.name !== null) this.#program(shebang.name);
    }
    for (const name of this.#followable(namedBy(text.slice(0, FOLLOWED_TEXT), { path: real, filling: this.#filling() }))) {
      for (const path of this.#places(name, [dirname(real)])) {
        const seen = identityOf(path);
        this.watch.set(path, seen);
        if (seen !== undefined && this.#isOurs(realOf(path))) this.#path(path, "script", depth);
      }
    }
  }

  /** A folder as a program: `node ./hooks`, `python3 ./hooks`. */
  #folder(real: string, depth: number): void {
    for (const name of ["package.json", "index.js", "index.mjs", "index.cjs", "index.ts", "__main__.py", "__init__.py"])
      this.#path(join(real, name), "script", depth + 1);
  }

  #glob(path: string, role: Role): void {
    const folder = dirname(path);
    this.watch.set(folder, identityOf(folder));
    if (/[*?[]/.test(folder) || !this.#isOurs(realOf(folder))) return;
    for (const name of namesIn(folder)) if (fitsWildcards(name, path.slice(folder.length + 1))) this.#path(join(folder, name), role, 0);
  }

  #watch(path: string, seen: Seen): void {
    const identity = seen.kind === "file" || seen.kind === "folder" ? seen.identity : identityOf(path);
    this.watch.set(path, identity);
    if (seen.kind === "file" && !isSettled(seen.identity)) this.firm = false;
  }

  #checkOwner(real: string): void {
    const upTo = this.grounds.find((ground) => isInside(real, ground)) ?? this.#root;
    this.refused ??= unsafeBecause(real, { upTo, user: this.#where.user, checked: this.#checked });
  }

  #atHome(real: string): string {
    const path = this.#where.home === "" ? undefined : insidePath(real, realOf(this.#where.home));
    return path === undefined ? real : `~/${path}`;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
