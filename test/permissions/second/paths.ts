import type { Scene } from "../../../src/permissions/scene.ts";
import { globMatch, isHoled, type Answer } from "./globs.ts";
import { BELOW, HOLE } from "./words.ts";

const LINK_LIMIT = 40;

/** The path with `~`, the working folder, `.` and `..` written out, links left as they are. */
export function lexical(path: string, { cwd, home }: Pick<Scene, "cwd" | "home">): string {
  const full = path === "~" || path.startsWith("~/") ? home + path.slice(1) : path.startsWith("/") ? path : `${cwd}/${path}`;
  const parts: string[] = [];
  for (const part of full.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The path as the kernel walks it: each component's link is followed before the next one; undefined when it never ends. */
export function physical(path: string, scene: Scene): string | undefined {
  const todo = (path === "~" || path.startsWith("~/") ? scene.home + path.slice(1) : path.startsWith("/") ? path : `${scene.cwd}/${path}`).split("/");
  let done: string[] = [];
  let links = 0;
  while (todo.length > 0) {
    const part = todo.shift() ?? "";
    if (part === "" || part === ".") continue;
    if (part === "..") {
      done.pop();
      continue;
    }
    const target = scene.files.readLink(`/${[...done, part].join("/")}`);
    if (target === undefined) {
      done.push(part);
      continue;
    }
    links += 1;
    if (links > LINK_LIMIT) return undefined;
    if (target.startsWith("/")) done = [];
    todo.unshift(...target.split("/"));
  }
  return `/${done.join("/")}`;
}

/** Whether a path pattern speaks of a path [A5]; `deny` looks at the path as written too, an allow only at where it leads. */
export function pathMatch(pattern: string, path: string, scene: Scene, side: "deny" | "allow"): Answer {
  if (isHoled(path)) return side === "allow" ? "no" : holeMatch(pattern, path, scene);
  const real = physical(path, scene);
  if (real === undefined) return side === "allow" ? "no" : "maybe";
  const wanted = patterns(pattern, scene);
  if (side === "allow") return pattern === "*" || pattern === "**" || wanted.some((one) => one.test(real)) ? "yes" : "no";
  const seen = [real, lexical(path, scene)];
  return pattern === "*" || pattern === "**" || wanted.some((one) => seen.some((place) => ancestors(place).some((above) => one.test(above)))) ? "yes" : "no";
}

/** A rule for a folder speaks of what is in it, and `folder/**` of the folder itself. */
function ancestors(path: string): readonly string[] {
  const parts = path.split("/").slice(1);
  return [`${path}/`, ...parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`)];
}

/** A path with unknown parts: a variable may lead anywhere, a glob or a search only below where it starts. */
function holeMatch(pattern: string, path: string, scene: Scene): Answer {
  if (pattern === "*" || pattern === "**") return "yes";
  if (path.includes(HOLE) || /[\uE001-\uE003].*\/\.\.(?:\/|$)/.test(path)) return "maybe";
  const wanted = written(pattern, scene)
    .split("/")
    .filter((part) => part !== "." && part !== "");
  const tidy = wanted.includes("..")
    ? lexical(`/${wanted.join("/")}`, scene)
        .split("/")
        .slice(1)
    : wanted;
  return namesMeet(tidy, lexical(path, scene).split("/").slice(1)) ? "maybe" : "no";
}

/** Whether a pattern and a path with globs in it can name one file, component by component. */
function namesMeet(pattern: readonly string[], path: readonly string[]): boolean {
  const [wanted, ...later] = pattern;
  const [name, ...rest] = path;
  if (name === BELOW || wanted === undefined) return true;
  if (wanted === "**") return namesMeet(later, path) || (name !== undefined && namesMeet(pattern, rest));
  if (name === undefined) return false;
  if (/^[\uE001\uE002]/.test(name) && wanted.startsWith(".")) return false;
  return globMatch(wanted.replaceAll("?", "*"), name) !== "no" && namesMeet(later, rest);
}

function patterns(pattern: string, scene: Scene): readonly RegExp[] {
  const whole = written(pattern, scene);
  const cut = whole.split("/").findIndex((part) => /[*?[{]/.test(part));
  const parts = whole.split("/");
  const fixed = cut < 0 ? whole : parts.slice(0, cut).join("/");
  const rest = cut < 0 ? "" : `/${parts.slice(cut).join("/")}`;
  const resolved = physical(fixed || "/", scene) ?? fixed;
  return [lexical(fixed || "/", scene), resolved].map((base) => toRegExp((base === "/" ? "" : base) + rest, scene));
}

function written(pattern: string, { root, home }: Scene): string {
  if (pattern.startsWith("//")) return pattern.slice(1);
  if (pattern.startsWith("~/")) return home + pattern.slice(1);
  return pattern.startsWith("/") ? pattern : `${root}/${pattern.replace(/^\.\//, "")}`;
}

function toRegExp(pattern: string, { platform }: Scene): RegExp {
  const source = pattern
    .split("/")
    .map((part) =>
      part === "**"
        ? "**"
        : part
            .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
            .replaceAll("*", "[^/]*")
            .replaceAll("?", "[^/]"),
    )
    .join("/")
    .replaceAll("/**/", "/(?:.*/)?")
    .replace(/\/\*\*$/, "(?:/.*)")
    .replace(/^\*\*\//, "(?:.*/)?");
  return new RegExp(`^${source}$`, platform === "posix" ? "s" : "is");
}
