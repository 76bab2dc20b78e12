// Builds the library with tsc and the command line with rolldown, and compiles what every start needs.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lazyBuiltins } from "./lazy-builtins.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bundle = join(root, "dist/cli");
rmSync(join(root, "dist"), { recursive: true, force: true });
const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.build.json")], { stdio: ["ignore", 2, 2] });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

const { build } = await import("rolldown");
await build({
  input: { snaphook: join(root, "src/cli/entry.ts") },
  platform: "node",
  // Its formatter makes a thousand texts when it is loaded, and nobody here formats.
  treeshake: { moduleSideEffects: (id) => !id.includes("jsonc-parser") },
  // The global is a module of Node that is slow to load.
  transform: { inject: { performance: ["node:perf_hooks", "performance"] } },
  // jsonc-parser's UMD build hides its parts behind require; its module build does not.
  resolve: { mainFields: ["module", "main"] },
  // Code from a cache has forgotten how to import what it names only when it runs: bin/snaphook.js lends it a function for that.
  plugins: [lazyBuiltins(), { name: "import-module", transform: (code) => code.replace(/\bimport\((?!["'])/g, "importModule(") }],
  output: {
    dir: bundle,
    format: "cjs",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // Everything that `fire` imports is one file, whoever else imports it.
    codeSplitting: { groups: [{ name: "core", test: /src\/cli\/(entry|main)\.ts$/ }] },
  },
  logLevel: "warn",
});
inlineRuntime(join(bundle, "snaphook.js"));
for (const name of readdirSync(bundle)) seal(join(bundle, name));
writeFileSync(join(bundle, "package.json"), '{ "type": "commonjs" }\n');
compile();

const { build: buildPage } = await import("vite");
await buildPage({ configFile: join(root, "web/vite.config.ts") });

/** What the bundler lends every chunk is a chunk of its own, and a file more for each start: the core has it in itself. */
function inlineRuntime(file) {
  const text = readFileSync(file, "utf8").replace(/require\("\.\/(rolldown-runtime-[^"]+)"\)/, (_, name) => {
    return `((exports) => {${readFileSync(join(bundle, name), "utf8")}\nreturn exports; })({})`;
  });
  writeFileSync(file, text);
}

/** A text of single bytes is read and kept without decoding, and one that is a function already is not copied into one. */
function seal(file) {
  const text = readFileSync(file, "utf8").replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  writeFileSync(file, `(function (exports, require, module, __filename, __dirname, importModule) {${text}\n})`);
}

/** Fires events as agents do, and keeps the code that the engine compiled for them. What one run leaves, the next one adds to. */
function compile() {
  const folder = mkdtempSync(join(tmpdir(), "snaphook-build-"));
  const settings = join(folder, ".claude/settings.json");
  const hook = { matcher: "Bash", hooks: [{ type: "command", command: "true" }] };
  mkdirSync(join(folder, ".claude"));
  writeFileSync(settings, JSON.stringify({ hooks: { PreToolUse: [hook] }, permissions: { deny: ["Bash(rm *)"] } }));
  const keep = ["--require", join(root, "scripts/code-cache.cjs")];
  try {
    snaphook(["trust", "--yes"], { folder, options: [] });
    // Found and trusted, with a record of it; then named.
    snaphook(["fire", "tool.before"], { folder, options: keep });
    snaphook(["fire", "tool.before", "--config", settings], { folder, options: keep });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function snaphook(args, { folder, options }) {
  const { status, stderr } = spawnSync(process.execPath, [...options, join(root, "bin/snaphook.js"), ...args], {
    input: JSON.stringify({ sessionId: "s", tool: { name: "Bash", input: { command: "ls -l" } } }),
    encoding: "utf8",
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: join(folder, "home"), TMPDIR: folder },
  });
  if (status !== 0) throw new Error(`the built command line does not run: snaphook ${args.join(" ")}: ${stderr}`);
}
