#!/usr/bin/env node
// Loads the built command line, each file with the code that was compiled for it when it was built. The engine checks that it is for
// this version and these flags, and else compiles as always. In a source checkout that was never built, it is built first.
"use strict";
const { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } = require("node:fs");
const path = require("node:path");
const { Script } = require("node:vm");

const folder = path.join(__dirname, "../dist/cli");
const loaded = new Map();
try {
  load("snaphook.js");
} catch (error) {
  if (error.code !== "ENOENT" || existsSync(path.join(folder, "snaphook.js"))) throw error;
  build();
  load("snaphook.js");
}

function load(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const filename = path.join(folder, name);
  const { source, cachedData } = readPacked(`${filename}.packed`) ?? { source: readFileSync(filename, "latin1") };
  const module = { exports: {} };
  loaded.set(name, module);
  // The build made each file a function of what a module is given.
  const script = new Script(source, { filename, cachedData });
  if (typeof globalThis.snaphookCompiled === "function") globalThis.snaphookCompiled(script, filename);
  const required = (id) => (id.startsWith("./") ? load(id.slice(2)) : require(id));
  script.runInThisContext()(module.exports, required, module, filename, folder, (specifier) => import(specifier));
  return module.exports;
}

/**
 * A file and its compiled code in one, as scripts/code-cache.cjs writes them: one file is opened instead of two, with few of the functions that
 * `readFileSync` would bring along. What others could write to the package, they could write to the program itself.
 */
function readPacked(file) {
  let descriptor;
  try {
    descriptor = openSync(file);
  } catch {
    return undefined;
  }
  const { size } = fstatSync(descriptor);
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size;) at += readSync(descriptor, bytes, at, size - at, null) || size;
  closeSync(descriptor);
  const length = bytes.readUInt32LE(0);
  return { source: bytes.latin1Slice(8, 8 + length), cachedData: bytes.subarray(8 + Math.ceil(length / 8) * 8) };
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
