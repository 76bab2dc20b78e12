// node scripts/bench.mjs FILE [ARGS…]: compiles bench/ into .bench/ and runs one of its files there.
// Imports of src/ become imports of dist/: what is measured is what users get. (A loader that compiles on the fly wraps each closure
// to keep its name, and that would be much of what is measured here.)
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const bench = join(root, "bench");
const src = join(root, "src") + sep;
const dist = join(root, "dist") + sep;
const [file = "run", ...args] = process.argv.slice(2);

if (!existsSync(join(dist, "index.js"))) {
  process.stderr.write("bench: there is no build; run `npm run build` first\n");
  process.exit(1);
}
await compile();
const { status, signal } = spawnSync(process.execPath, ["--expose-gc", join(root, ".bench", `${file}.js`), ...args], { stdio: "inherit" });
process.exit(signal ? 1 : (status ?? 1));

async function compile() {
  const files = readdirSync(bench, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts") && !path.includes("node_modules"));
  const bundle = await rolldown({
    // Each file is an entry of its own, so nothing is merged and every file keeps its place.
    input: Object.fromEntries(files.map((path) => [path.replaceAll(sep, "/").replace(/\.ts$/, ""), join(bench, path)])),
    platform: "node",
    plugins: [{ name: "built", resolveId: (source, importer) => place(source, importer) }],
    logLevel: "warn",
  });
  await bundle.write({ dir: join(root, ".bench"), format: "esm", preserveModules: true, preserveModulesRoot: bench, entryFileNames: "[name].js" });
  await bundle.close();
}

/** Packages stay packages, src/ is taken from dist/, bench/ is compiled. */
function place(source, importer) {
  if (importer === undefined) return null;
  if (!source.startsWith(".")) return { id: source, external: true };
  const path = resolve(importer, "..", source);
  if (!path.startsWith(src)) return null;
  return { id: join(dist, relative(src, path)).replace(/\.ts$/, ".js"), external: "relative" };
}
