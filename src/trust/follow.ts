/** Which files a script names in turn: what it sources, imports or starts. Pure. */
import { basename, dirname, extname } from "node:path";
import { SHELLS } from "./tables.ts";
import type { Filling } from "./tokens.ts";
import { shellWords } from "./words.ts";

/** A program that reads a script, as its first line says: a path, or a name to be looked up. */
export interface Shebang {
  readonly path: string;
  /** What `env` is asked to start. */
  readonly name: string | null;
}

/** `#!/usr/bin/env -S node --flag`. */
export function shebangOf(text: string): Shebang | null {
  const [, path, rest = ""] = /^#!\s*(\S+)[ \t]*(.*)/.exec(text) ?? [];
  if (path === undefined) return null;
  if (basename(path) !== "env") return { path, name: null };
  return { path, name: rest.split(/\s+/).find((word) => word !== "" && !word.startsWith("-") && !word.includes("=")) ?? null };
}

/** The paths that a script names, as it writes them; those of folders that hold modules without their endings. */
export function namedBy(text: string, { path, filling }: { readonly path: string; readonly filling: Filling }): readonly string[] {
  const shebang = shebangOf(text);
  const interpreter = shebang ? basename(shebang.name ?? shebang.path) : "";
  return languageOf(path, interpreter)?.(text, { path, filling }) ?? [];
}

type Language = (text: string, about: { readonly path: string; readonly filling: Filling }) => readonly string[];

function languageOf(path: string, interpreter: string): Language | undefined {
  if (SHELLS.has(interpreter)) return shell;
  if (/^(python|pypy)/.test(interpreter)) return python;
  if (/^(node|nodejs|bun|deno|tsx|ts-node)$/.test(interpreter)) return javascript;
  return ENDINGS[extname(path)];
}

const shell: Language = (text, { path, filling }) => {
  const here = dirname(path);
  const own: Filling = {
    variable: filling.variable,
    // `$(dirname "$0")` and its relatives: the folder of the script itself.
    substitution: (command) => (/dirname|%\/\*/.test(command) && /\$\{?0|BASH_SOURCE/.test(command) ? here : filling.substitution(command)),
  };
  return shellWords(text, own).words.flatMap(({ text: word, role }) => (role === "script" || (role === "program" && word.includes("/")) ? [word] : []));
};

const javascript: Language = (text) =>
  [...text.matchAll(/(?:\bfrom|\bimport|\brequire)[\s(]{0,20}["'](\.{1,2}\/[^"'\n]{1,500})["']/g)].flatMap(([, name = ""]) =>
    ["", ".js", ".mjs", ".cjs", ".ts", ".json", "/index.js", "/index.ts"].map((ending) => `${name}${ending}`),
  );

const python: Language = (text) =>
  [...text.matchAll(/^[ \t]{0,80}(?:from[ \t]{1,20}\.{0,8}([\w.]{1,200})[ \t]{1,20}import|import[ \t]{1,20}([\w., \t]{1,500}))/gm)].flatMap(
    ([, from, imported]) =>
      (from ?? imported ?? "").split(",").flatMap((name) => {
        const module = (name.trim().split(/\s/)[0] ?? "").replaceAll(".", "/");
        return module === "" ? [] : [`./${module}.py`, `./${module}/__init__.py`];
      }),
  );

const ENDINGS: { readonly [ending: string]: Language } = {
  ".sh": shell,
  ".bash": shell,
  ".zsh": shell,
  ".py": python,
  ".js": javascript,
  ".mjs": javascript,
  ".cjs": javascript,
  ".ts": javascript,
  ".mts": javascript,
  ".cts": javascript,
};
