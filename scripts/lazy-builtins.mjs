// A rolldown plugin: modules of Node that are slow to load are loaded at the first call of one of their functions.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loading these costs a start from half a millisecond to three each, and most calls need none of them. */
const SLOW = ["child_process", "crypto", "events", "fs/promises", "net", "os", "perf_hooks", "readline", "tty", "url", "vm"].map((name) => `node:${name}`);
const PREFIX = "\0lazy:";

export function lazyBuiltins() {
  return {
    name: "lazy-builtins",
    resolveId: (id) => (SLOW.includes(id) ? `${PREFIX}${id}` : undefined),
    load: (id) => (id.startsWith(PREFIX) ? stubs(id.slice(PREFIX.length)) : undefined),
  };
}

/** A function for each function of the module, and a stand-in for each object. What is neither can't be late: importing it fails the build. */
function stubs(name) {
  const module = require(name);
  const special = SPECIAL[name] ?? {};
  const functions = Object.keys(module).filter((key) => typeof module[key] === "function" && /^[A-Za-z]\w*$/.test(key));
  const objects = Object.keys(module).filter((key) => typeof module[key] === "object" && module[key] !== null && /^[a-z]\w*$/.test(key) && key !== "default");
  return [...functions.map((key) => special[key] ?? stub(name, key)), ...objects.map((key) => standIn(name, key))].join("\n");
}

function stub(name, key) {
  return `export function ${key}(...args) {
  const real = process.getBuiltinModule(${JSON.stringify(name)}).${key};
  return new.target ? Reflect.construct(real, args) : real(...args);
}`;
}

function standIn(name, key) {
  if (SPECIAL[name]?.[key]) return SPECIAL[name][key];
  return `export const ${key} = new Proxy({}, { get: (_, property) => process.getBuiltinModule(${JSON.stringify(name)}).${key}[property] });`;
}

/** Every start reads files. Small ones are read at once: a thread that reads takes longer to start than the reading. */
const SPECIAL = {
  // The clock alone is wanted, and it is in the process already.
  "node:perf_hooks": {
    performance: `export const performance = {
  /** Of the clock below. */
  get timeOrigin() {
    return Date.now() - this.now();
  },
  now() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
};`,
  },
  "node:fs/promises": {
    readFile: `import { readFile as readFileOld, readFileSync, realpath as realpathOld, statSync } from "node:fs";
const SMALL_BYTES = 262_144;
export async function readFile(path, options) {
  const stat = typeof path === "string" ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (stat?.isFile() && stat.size <= SMALL_BYTES) return readFileSync(path, options);
  return new Promise((resolve, reject) => readFileOld(path, options, (error, data) => (error ? reject(error) : resolve(data))));
}`,
    realpath: `export async function realpath(path) {
  return new Promise((resolve, reject) => realpathOld.native(path, (error, real) => (error ? reject(error) : resolve(real))));
}`,
  },
};
