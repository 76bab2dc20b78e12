// Makes the n-th call to the system fail: files, processes, network. As `node --import injector.mjs` it takes its order from
// SNAPHOOK_INJECT='{"at": 3, "how": "EIO", "report": "FILE"}'; as a module, from `injection`. `at: 0` only counts. With "orders": "FILE" a process that
// stays reads an order `{"at", "how", "report"}` from there at each SIGUSR2, counts anew, and reports the calls until then.
import childProcess from "node:child_process";
import dns from "node:dns";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import os from "node:os";

/** The order, and what was called so far. */
export const injection = { at: 0, how: "EIO", calls: [] };

const write = fs.writeSync;
const writeFile = fs.writeFileSync;
const readFile = fs.readFileSync;
const rename = fs.renameSync;

function isDue(name) {
  injection.calls.push(name);
  return injection.calls.length === injection.at;
}

function failure(name) {
  const code = injection.how === "short" ? "ENOSPC" : injection.how;
  return Object.assign(new Error(`${code}: injected, ${name}`), { code, errno: -(os.constants.errno[code] ?? 5), syscall: name });
}

function wrap(object, name, fail) {
  const original = object[name];
  if (typeof original !== "function") return;
  const wrapped = function (...args) {
    return isDue(name) ? fail.call(this, { args, original, name }) : Reflect.apply(original, this, args);
  };
  object[name] = Object.assign(wrapped, original);
}

// prettier-ignore
const SYNC = ["openSync", "readSync", "readFileSync", "statSync", "lstatSync", "fstatSync", "readdirSync", "realpathSync", "readlinkSync", "mkdirSync", "mkdtempSync", "rmSync",
  "unlinkSync", "renameSync", "linkSync", "symlinkSync", "accessSync", "chmodSync", "ftruncateSync", "truncateSync", "fsyncSync", "fdatasyncSync", "opendirSync", "copyFileSync", "utimesSync"];
const CALLBACKS = ["open", "read", "write", "close", "stat", "lstat", "fstat", "readFile", "writeFile", "readdir", "realpath", "mkdir", "unlink", "rename"];
const PROMISES = [
  "open",
  "readFile",
  "writeFile",
  "appendFile",
  "stat",
  "lstat",
  "readdir",
  "realpath",
  "readlink",
  "mkdir",
  "rm",
  "unlink",
  "rename",
  "access",
  "opendir",
];

const throws = ({ name }) => {
  throw failure(name);
};
for (const name of SYNC) wrap(fs, name, throws);
// A descriptor is gone whatever the system says of its file.
wrap(fs, "closeSync", ({ args, original, name }) => {
  original(...args);
  throw failure(name);
});
if (fs.realpathSync.native) wrap(fs.realpathSync, "native", throws);
// It never throws: whatever goes wrong, nothing is there. A program that does not see itself would build itself anew, beside us.
wrap(fs, "existsSync", ({ args, original }) => String(args[0]).includes("/dist/cli/") && original(...args));
// A disk that is full may have taken part of it.
wrap(fs, "writeSync", ({ args, original, name }) => {
  const [fd, data] = args;
  const bytes = typeof data === "string" ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const written = injection.how === "short" || injection.how === "ENOSPC" ? original(fd, bytes, 0, Math.ceil(bytes.length / 2)) : 0;
  if (injection.how === "short") return written;
  throw failure(name);
});
for (const name of ["writeFileSync", "appendFileSync"]) {
  wrap(fs, name, ({ args: [path, data, ...rest], original }) => {
    const text = String(data);
    if (injection.how === "short" || injection.how === "ENOSPC") original(path, text.slice(0, text.length / 2), ...rest);
    throw failure(name);
  });
}
for (const name of CALLBACKS) wrap(fs, name, ({ args }) => process.nextTick(args.at(-1), failure(name)));
for (const name of PROMISES) wrap(fs.promises, name, () => Promise.reject(failure(name)));

// As Node does it when the system can't start a process: an error event, and without descriptors no streams either.
const { spawn } = childProcess.ChildProcess.prototype;
childProcess.ChildProcess.prototype.spawn = function (options) {
  if (isDue("spawn")) this._handle.spawn = () => -(os.constants.errno[failure("spawn").code] ?? 5);
  return Reflect.apply(spawn, this, [options]);
};
wrap(net.Socket.prototype, "connect", function ({ name }) {
  process.nextTick(() => this.destroy(failure(name)));
  return this;
});
wrap(dns, "lookup", ({ args, name }) => process.nextTick(args.at(-1), failure(name)));
syncBuiltinESMExports();

const order = process.env["SNAPHOOK_INJECT"];
if (order) {
  delete process.env["SNAPHOOK_INJECT"];
  const { at, how, report, orders } = JSON.parse(order);
  Object.assign(injection, { at, how, calls: [] });
  if (report) process.on("exit", () => writeFile(report, JSON.stringify(injection.calls)));
  if (orders) process.on("SIGUSR2", () => obey(JSON.parse(readFile(orders, "utf8"))));
}

function obey({ at, how, report }) {
  const { calls } = injection;
  Object.assign(injection, { at, how, calls: [] });
  writeFile(`${report}.part`, JSON.stringify(calls));
  rename(`${report}.part`, report);
  // The callers' own wrappers count what is done here as well where the originals call each other.
  injection.calls = [];
}

/** Writes to stdout, whatever is injected. */
export function say(value) {
  write(1, `${JSON.stringify(value)}\n`);
}
