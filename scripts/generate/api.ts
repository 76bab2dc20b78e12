/** The API reference, from the declarations that the compiler emits: each public name, its comment, its declaration. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { block, page } from "./markdown.ts";

/** The public entry points: what is imported, and the file that says what it holds. */
const ENTRIES = [
  { name: "snaphook", file: "index.d.ts" },
  { name: "snaphook/audit", file: "audit/index.d.ts" },
  { name: "snaphook/testing", file: "testing/index.d.ts" },
];

/** Longer declarations are tables, which have pages of their own. */
const LIMIT_LINES = 60;

/** docs/reference/api.md */
export function apiReference(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-api-"));
  try {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--emitDeclarationOnly", "--outDir", folder], {
      encoding: "utf8",
    });
    if (!existsSync(join(folder, "index.d.ts"))) throw new Error(`the compiler emitted no declarations: ${stdout}`);
    const parts = ENTRIES.filter(({ file }) => existsSync(join(folder, file))).flatMap(({ name, file }) => [
      `## ${name}`,
      ...exportsOf(join(folder, file)).map(exportText),
    ]);
    return page("Library", 'What `import … from "snaphook"` offers. What is not listed here is not public.', ...parts);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One public name. */
export interface ApiExport {
  readonly name: string;
  readonly comment: string;
  readonly declaration: string;
}

/** The exports of a declaration file, followed to where they are declared. */
export function exportsOf(file: string): readonly ApiExport[] {
  const text = readFileSync(file, "utf8");
  const moved = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm)].flatMap(([, names = "", from = ""]) => {
    const target = declarationFile(resolve(dirname(file), from));
    return names.split(",").flatMap((each) => {
      const [name = "", as = name] = each
        .trim()
        .replace(/^type /, "")
        .split(" as ");
      return name === "" ? [] : [{ ...findExport(target, name), name: as }];
    });
  });
  const own = [...text.matchAll(/^export (?:declare )?(?:abstract )?(?:async )?(?:function|const|class|interface|type) (\w+)/gm)].map(([, name = ""]) =>
    declarationOf(text, name),
  );
  return [...moved, ...new Map(own.map((each) => [each.name, each])).values()];
}

function findExport(file: string, name: string): ApiExport {
  const text = readFileSync(file, "utf8");
  const own = declarationOf(text, name);
  if (own.declaration !== "") return own;
  return exportsOf(file).find((each) => each.name === name) ?? own;
}

function declarationFile(path: string): string {
  return path.replace(/\.(?:ts|js)$/, ".d.ts");
}

/** The comment and the text of one declaration; overloads stand together. */
function declarationOf(text: string, name: string): ApiExport {
  const starts = [...text.matchAll(new RegExp(`^export (?:declare )?(?:abstract )?(?:function|const|class|interface|type) ${name}\\b`, "gm"))];
  const [first] = starts;
  if (!first) return { name, comment: "", declaration: "" };
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, first.index))?.[1] ?? "";
  const declaration = starts.map((start) => text.slice(start.index, declarationEnd(text, start.index))).join("\n");
  return { name, comment: comment.replace(/^\s*\* ?/gm, "").trim(), declaration: declaration.replace(/^export (?:declare )?/gm, "") };
}

/** A declaration ends with a semicolon outside of brackets, or with the brace that closes an interface or class. */
function declarationEnd(text: string, start: number): number {
  const braced = /^export (?:declare )?(?:abstract )?(?:class|interface)/.test(text.slice(start));
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const skipped = skipQuoted(text, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const character = text[at] ?? "";
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
    if (depth === 0 && (character === ";" || (braced && character === "}"))) return at + 1;
  }
  return text.length;
}

/** The last character of the text in quotes or of the comment that starts here; else the place itself. */
function skipQuoted(text: string, at: number): number {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*)/.exec(text.slice(at, at + 4_000));
  return quoted ? at + quoted[0].length - 1 : at;
}

function exportText({ name, comment, declaration }: ApiExport): string {
  const lines = declaration.replaceAll("    ", "  ").split("\n");
  const shown = lines.length <= LIMIT_LINES ? lines.join("\n") : `${lines.slice(0, 12).join("\n")}\n  // … ${lines.length - 12} more lines`;
  return [`### ${name}`, ...(comment === "" ? [] : [comment]), block("ts", shown)].join("\n\n");
}
