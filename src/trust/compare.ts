/** What was approved beside what is here: the same, changed, new or gone. Pure. */
import { canonicalJson } from "../lib/canonical-json.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Content, ContentFile, ContentProgram } from "./content.ts";
import type { ApprovedEntry } from "./record.ts";

/** One entry of now, the approved one that it came from, or both. */
export type Pair =
  | { readonly kind: "same" | "changed"; readonly present: Content; readonly approved: ApprovedEntry }
  | { readonly kind: "new"; readonly present: Content; readonly approved: null }
  | { readonly kind: "gone"; readonly present: null; readonly approved: ApprovedEntry };

/** How an entry that is not the same may be known again, the surest first. A rule that reads otherwise is another rule. */
const TRACES: readonly ((content: Content, approved: ApprovedEntry) => boolean)[] = [
  ({ spec }, approved) => canonicalJson(spec) === canonicalJson(approved.spec),
  ({ entry }, { label, about }) => entry.label === label && entry.about === about,
  ({ entry }, { about, kind }) => kind !== "rule" && entry.about === about,
];

/** Pairs entries, in the order of those that are here; what is gone comes last. */
export function pairUp(present: readonly Content[], approved: readonly ApprovedEntry[]): readonly Pair[] {
  const left = [...approved];
  const pairs = new Map<Content, Pair>();
  const take = (content: Content, fits: (each: ApprovedEntry) => boolean, kind: "same" | "changed"): void => {
    const index = left.findIndex((each) => each.kind === content.entry.kind && fits(each));
    const [found] = index < 0 ? [] : left.splice(index, 1);
    if (found) pairs.set(content, { kind, present: content, approved: found });
  };
  const open = (): readonly Content[] => present.filter((content) => !pairs.has(content));
  for (const content of present) take(content, ({ hash }) => hash === content.hash, "same");
  // The same hook in two files was approved once.
  for (const content of open()) {
    const twin = approved.find(({ hash }) => hash === content.hash);
    if (twin) pairs.set(content, { kind: "same", present: content, approved: twin });
  }
  for (const trace of TRACES) for (const content of open()) take(content, (each) => trace(content, each), "changed");
  return [
    ...present.map((content): Pair => pairs.get(content) ?? { kind: "new", present: content, approved: null }),
    ...left.map((each): Pair => ({ kind: "gone", present: null, approved: each })),
  ];
}

/** What a hash covers. */
interface Covered {
  readonly spec: JsonObject;
  readonly files: readonly ContentFile[];
  readonly programs: readonly ContentProgram[];
}

/** What differs between an entry and its approval, in words: files by path. */
export function differences({ spec, files, programs }: Covered, approved: Covered): readonly string[] {
  const before = new Map(approved.files.map(({ path, sha256 }) => [path, sha256]));
  const now = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const paths = [...new Set([...before.keys(), ...now.keys()])].filter((path) => before.get(path) !== now.get(path));
  const found = new Map(approved.programs.map(({ name, path }) => [name, path]));
  const moved = programs.filter(({ name, path }) => found.get(name) !== path).map(({ name }) => `where ${name} is found`);
  return [...(canonicalJson(spec) === canonicalJson(approved.spec) ? [] : ["its entry"]), ...paths, ...moved];
}
