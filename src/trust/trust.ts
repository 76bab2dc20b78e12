/** The judge: which entries of a folder may run, and whether a hook still is what was approved right before it runs. */
import { realpathSync } from "node:fs";
import type { Hook } from "../model/hook.ts";
import { differences, pairUp } from "./compare.ts";
import { contentOf, isUntouched, type Content } from "./content.ts";
import { hookEntry, type TrustEntry, type Where } from "./entry.ts";
import { FileReader } from "./files.ts";
import type { Lock } from "./lock.ts";
import { readRecord, type FolderRecord } from "./record.ts";
import { whyNot, type Standing } from "./standing.ts";
import { Vouch } from "./vouch.ts";

/** By what a folder's entries are judged. */
export type TrustPolicy =
  /** Whoever owns the machine said so. */
  | { readonly kind: "all" }
  | { readonly kind: "none" }
  /** What was approved, as long as it stays the same. */
  | { readonly kind: "approved"; readonly configDir: string }
  | { readonly kind: "lock"; readonly lock: Lock };

/** A trusted hook as it was when it was last looked at. */
interface Vouched {
  readonly entry: TrustEntry;
  readonly content: Content;
  /** The folder it was looked at from. */
  readonly cwd: string;
  readonly since: string;
}

/** A hook that needs no trust. */
const UNGUARDED = "unguarded";

/** Judges entries of one project for one engine. */
export class Trust {
  /** What is wrong with the records themselves. */
  readonly problems: string[] = [];
  readonly policy: TrustPolicy;
  readonly where: Where;
  readonly #reader: FileReader;
  /** Folders whose record is there and could not be read: what was approved in them is missing, not new. */
  readonly #unread = new Map<string, string>();
  readonly #records = new Map<string, FolderRecord | null>();
  /** What the trusted hooks were when they were judged. */
  readonly #vouched = new Map<string, Vouched>();
  readonly #byHook = new WeakMap<Hook, Vouched | typeof UNGUARDED>();
  readonly #looked = new WeakMap<Hook, Content>();

  constructor({ policy, where, reader = new FileReader() }: { readonly policy: TrustPolicy; readonly where: Where; readonly reader?: FileReader }) {
    this.policy = policy;
    this.where = where;
    this.#reader = reader;
  }

  /** How every entry stands. Entries of one kind are judged together: what is here tells what has changed and what is new. */
  judge(entries: readonly TrustEntry[]): ReadonlyMap<TrustEntry, Standing> {
    const { policy } = this;
    if (policy.kind === "all") return new Map(entries.map((entry) => [entry, { kind: "trusted", since: null }]));
    if (policy.kind === "none") return new Map(entries.map((entry) => [entry, { kind: "new", since: null }]));
    const standings = new Map<TrustEntry, Standing>();
    for (const folder of new Set(entries.map((entry) => entry.folder))) {
      const own = entries.filter((entry) => entry.folder === folder);
      for (const [entry, standing] of policy.kind === "lock" ? this.#byLock(own, policy.lock) : this.#byRecord(own, folder, policy.configDir))
        standings.set(entry, standing);
    }
    return standings;
  }

  /** Looks at an entry as it is now. */
  look(entry: TrustEntry, cwd = this.where.root): Content {
    return contentOf(entry, { where: this.where, cwd, reader: this.#reader });
  }

  /** The content hash of a hook of any layer, for the record of what ran. */
  hashOf(hook: Hook): string {
    const known = this.#looked.get(hook);
    const content = known && isUntouched(known) ? known : this.look(hookEntry(hook, this.where));
    this.#looked.set(hook, content);
    return content.hash;
  }

  /** Why a hook may not run although it was armed: it is no longer what was approved, or something else from this folder. Null: it may. */
  refusal(hook: Hook, cwd: string): string | null {
    const known = this.#find(hook);
    if (known === UNGUARDED) return null;
    if (known.cwd === cwd && isUntouched(known.content)) return null;
    const content = this.look(known.entry, cwd);
    if (content.refused !== null) return content.refused;
    if (content.hash === known.content.hash) {
      const looked = { ...known, content, cwd };
      this.#byHook.set(hook, looked);
      this.#vouched.set(placeOf(hook), looked);
      return null;
    }
    const { since, content: before } = known;
    const what = differences(content, before);
    if (cwd !== this.where.root) return `from ${cwd} it would not run what was trusted (${what.join(", ")})`;
    return whyNot({ kind: "changed", since, what });
  }

  /** Holds a hook that may run now to what it is now; null where nothing vouches for its files. */
  vouch(hook: Hook): Vouch | null {
    const known = this.#find(hook);
    if (known === UNGUARDED || known.content.found.size === 0) return null;
    const { content, entry, cwd } = known;
    return new Vouch(content, () => this.look(entry, cwd));
  }

  #byLock(entries: readonly TrustEntry[], lock: Lock): readonly (readonly [TrustEntry, Standing])[] {
    return entries.map((entry) => {
      const content = this.look(entry);
      if (content.refused !== null) return [entry, { kind: "refused", reason: content.refused }] as const;
      if (!lock.lists(content)) return [entry, { kind: "unlocked", lock: lock.path }] as const;
      this.#vouch(entry, { entry, content, cwd: this.where.root, since: "" });
      return [entry, { kind: "trusted", since: null }] as const;
    });
  }

  #byRecord(entries: readonly TrustEntry[], folder: string, configDir: string): readonly (readonly [TrustEntry, Standing])[] {
    const record = this.#record(folder, configDir);
    // A folder that was never approved is not looked into at all.
    const lost = this.#unread.get(folder);
    if (lost !== undefined) return entries.map((entry) => [entry, { kind: "refused", reason: lost }] as const);
    if (!record) return entries.map((entry) => [entry, { kind: "new", since: null }] as const);
    const kinds = new Set(entries.map(({ kind }) => kind));
    const contents = entries.map((entry) => this.look(entry));
    const pairs = pairUp(
      contents,
      record.entries.filter(({ kind }) => kinds.has(kind)),
    );
    return pairs.flatMap(({ kind, present, approved }): (readonly [TrustEntry, Standing])[] => {
      if (!present) return [];
      if (present.refused !== null) return [[present.entry, { kind: "refused", reason: present.refused }]];
      if (!approved) return [[present.entry, { kind: "new", since: record.at }]];
      if (kind === "changed") return [[present.entry, { kind: "changed", since: approved.at, what: differences(present, approved) }]];
      this.#vouch(present.entry, { entry: present.entry, content: present, cwd: this.where.root, since: approved.at });
      return [[present.entry, { kind: "trusted", since: approved.at }]];
    });
  }

  #record(folder: string, configDir: string): FolderRecord | null {
    const known = this.#records.get(folder);
    if (known !== undefined) return known;
    const read = readRecord(configDir, realOf(folder));
    if (read.kind === "refused") this.problems.push(read.message);
    if (read.kind === "refused" && read.unread) this.#unread.set(folder, read.message);
    const record = read.kind === "record" ? read.record : null;
    this.#records.set(folder, record);
    return record;
  }

  #vouch({ hook }: TrustEntry, vouched: Vouched): void {
    if (!hook) return;
    this.#vouched.set(placeOf(hook), vouched);
    this.#byHook.set(hook, vouched);
  }

  /** A hook that was merged with its like is another object at the same place. */
  #find(hook: Hook): Vouched | typeof UNGUARDED {
    const known = this.#byHook.get(hook) ?? this.#vouched.get(placeOf(hook)) ?? UNGUARDED;
    this.#byHook.set(hook, known);
    return known;
  }
}

/** The content hash of a hook: what it says, the bytes of its files, the paths of its programs. */
export function hashOf(hook: Hook, where: Where): string {
  return contentOf(hookEntry(hook, where), { where, cwd: where.root, reader: new FileReader() }).hash;
}

function placeOf({ dialect, wireName, name, source }: Hook): string {
  return JSON.stringify([dialect, wireName, name, source]);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
