import type { Verdict } from "../model/verdict.ts";
import type { FileTool } from "./file-tools.ts";
import { indexPaths, literalBase, type PathIndex } from "./path-index.ts";
import { pathPatterns, type PathPattern, type Segment } from "./path-pattern.ts";
import { foldPath, isInside, normalise, resolvePath } from "./paths.ts";
import { EMPTY_SET, type CompiledRule, type PatternedRule, type PolicyTable } from "./policy-table.ts";
import type { Platform, Scene } from "./scene.ts";

/** Path patterns of one policy table, made absolute for a root and home, with links followed. */
export type PlacedPaths = Readonly<Record<FileTool, Readonly<Record<Verdict, PathIndex<CompiledRule>>>>>;

interface Place {
  readonly scene: Scene;
  readonly paths: PlacedPaths;
  /** What the file view said about every path it was asked for: another view that says the same gives the same place. */
  readonly links: ReadonlyMap<string, string | undefined>;
}

/** The last placement of each table: a session has one root, home and file view. */
const LAST = new WeakMap<PolicyTable, Place>();
/** The one asked for last, without a lookup: a decision asks several times. */
let latest: { readonly table: PolicyTable; readonly place: Place } | undefined;

/** The placed patterns; made again when root, home, platform or a link on the way of a pattern is another. */
export function placedPaths(table: PolicyTable, scene: Scene): PlacedPaths {
  if (latest?.table === table && latest.place.scene === scene) return latest.place.paths;
  const last = LAST.get(table);
  const place = last?.scene === scene ? last : last && isSamePlace(last, scene) ? { ...last, scene } : placed(table, scene);
  LAST.set(table, place);
  latest = { table, place };
  return place.paths;
}

function isSamePlace({ scene, links }: Place, { root, home, platform, files }: Scene): boolean {
  if (scene.root !== root || scene.home !== home || scene.platform !== platform) return false;
  if (scene.files === files) return true;
  for (const [path, target] of links) if (files.readLink(path) !== target) return false;
  return true;
}

function placed(table: PolicyTable, scene: Scene): Place {
  const links = new Map<string, string | undefined>();
  const readLink = (path: string): string | undefined => {
    if (!links.has(path)) links.set(path, scene.files.readLink(path));
    return links.get(path);
  };
  return { scene, paths: placeAll(table, { ...scene, files: { readLink } }), links };
}

function placeAll(table: PolicyTable, scene: Scene): PlacedPaths {
  const tool = (name: FileTool): Record<Verdict, PathIndex<CompiledRule>> => {
    const index = (verdict: Verdict): PathIndex<CompiledRule> =>
      indexPaths((table[verdict].tools.get(name) ?? EMPTY_SET).patterned.flatMap((item) => placeRule(item, verdict, scene)));
    return { allow: index("allow"), ask: index("ask"), deny: index("deny") };
  };
  return { read: tool("read"), write: tool("write"), edit: tool("edit"), grep: tool("grep") };
}

function placeRule(item: PatternedRule, verdict: Verdict, scene: Scene): readonly { segments: readonly Segment[]; item: CompiledRule }[] {
  return pathPatterns(item.pattern).flatMap((pattern) => placePattern(pattern, verdict, scene).map((segments) => ({ segments, item })));
}

/** The absolute forms of a pattern: as written, and with the links of its literal beginning followed. */
export function placePattern(pattern: PathPattern, verdict: Verdict, scene: Scene): readonly (readonly Segment[])[] {
  if (pattern.anchor === "anything") return [[{ kind: "deep" }]];
  const { names, rest } = literalBase(pattern);
  // A deny of `**/x` means x wherever it is; an allow only what is in the project.
  if (verdict !== "allow" && pattern.anchor === "root" && names.length === 0 && rest[0]?.kind === "deep") return [foldSegments(rest, scene.platform)];
  const anchor = { absolute: "", root: scene.root, home: scene.home }[pattern.anchor];
  const written = normalise(`${anchor}/${names.join("/")}`);
  const resolved = resolvePath(written, scene);
  const bases = new Set([written, ...(resolved?.forms ?? [])]);
  return [...bases].map((base) =>
    foldSegments(
      [
        ...base
          .split("/")
          .filter((name) => name !== "")
          .map((name): Segment => ({ kind: "name", name })),
        ...rest,
      ],
      verdict === "allow" ? "posix" : scene.platform,
    ),
  );
}

/** An allow never folds case: another spelling is asked. */
function foldSegments(segments: readonly Segment[], platform: Platform): readonly Segment[] {
  if (platform === "posix") return segments;
  return segments.map((segment): Segment => {
    switch (segment.kind) {
      case "name":
        return { kind: "name", name: foldPath(segment.name, platform) };
      case "glob":
        return { kind: "glob", chunks: segment.chunks.map((chunk) => foldPath(chunk, platform)) };
      case "deep":
        return segment;
    }
  });
}

/** Whether a path is in the project, links followed. */
export function inProject(path: string, scene: Scene): boolean {
  const root = resolvePath(scene.root, scene);
  const resolved = resolvePath(path, scene);
  return root !== undefined && resolved?.certain === true && resolved.real.every((real) => root.real.some((folder) => isInside(real, folder)));
}
