#!/usr/bin/env node
// Loads the built command line, each file with the code that was compiled for it when it was built. The engine checks that it is for
// this version and these flags, and else compiles as always. In a source checkout that was never built, it is built first.
"use strict";
const { existsSync, readFileSync } = require("node:fs");
const path = require("node:path");
const { Script } = require("node:vm");

const folder = path.join(__dirname, "../dist/cli");
const loaded = new Map();
if (!existsSync(path.join(folder, "snaphook.js"))) build();
load("snaphook.js");

function load(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const filename = path.join(folder, name);
  const cache = `${filename}.cache`;
  // What others could write to the package, they could write to the program itself.
  const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
  // The build made each file a function of what a module is given.
  const script = new Script(readFileSync(filename, "latin1"), { filename, cachedData });
  if (typeof globalThis.snaphookCompiled === "function") globalThis.snaphookCompiled(script, cache);
  const required = (id) => (id.startsWith("./") ? load(id.slice(2)) : require(id));
  script.runInThisContext()(module.exports, required, module, filename, folder, (specifier) => import(specifier));
  return module.exports;
}

function build() {
  const builder = path.join(__dirname, "../scripts/with-build.mjs");
  if (!existsSync(builder)) {
    process.stderr.write("snaphook: this package was packed without its build; run `npm run build` before `npm pack`.\n");
    process.exit(1);
  }
  const { spawnSync } = require("node:child_process");
  if (spawnSync(process.execPath, [builder], { stdio: ["ignore", 2, 2] }).status !== 0) process.exit(1);
}
