// A process that writes to a log and tells each record that was acknowledged. It may be told to die at a certain file operation,
// or that every so many file operations fail.
// node writer.mjs BUNDLE FOLDER '{"records", "opens", "kill": {"at", "how"}, "fail": {"every", "how"}, "segmentBytes", "checkpointEvery", "name"}'
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [bundle, folder, text] = process.argv.slice(2);
const { records, opens = 1, kill, fail, segmentBytes = 4_096, checkpointEvery = 7, name, pad = 40 } = JSON.parse(text);
const OPERATIONS = ["openSync", "writeSync", "closeSync", "renameSync", "rmSync", "ftruncateSync", "truncateSync", "mkdirSync", "readdirSync", "fsyncSync"];
const write = fs.writeSync;

if (kill) {
  let count = 0;
  for (const operation of OPERATIONS) {
    const original = fs[operation];
    fs[operation] = (...args) => {
      if (++count !== kill.at) return original(...args);
      // A write may be cut in the middle, as on a machine that stops.
      if (kill.how === "half" && operation === "writeSync" && Buffer.isBuffer(args[1])) writeHalf(original, args);
      else if (kill.how === "after") original(...args);
      process.kill(process.pid, "SIGKILL");
      for (;;);
    };
  }
  syncBuiltinESMExports();
}

if (fail) {
  let count = 0;
  for (const operation of OPERATIONS) {
    const original = fs[operation];
    fs[operation] = (...args) => {
      if (++count % fail.every !== 0) return original(...args);
      const isLine = operation === "writeSync" && Buffer.isBuffer(args[1]);
      // A short write is no error; a disk that is full may have taken part of it.
      const half = isLine && (fail.how === "short" || fail.how === "ENOSPC") ? original(args[0], args[1], args[2], Math.ceil(args[3] / 2)) : 0;
      if (fail.how === "short") return isLine ? half : original(...args);
      throw Object.assign(new Error(`${fail.how}: ${operation}`), { code: fail.how });
    };
  }
  syncBuiltinESMExports();
}

const { openLog } = await import(bundle);
for (let open = 0; open < opens; open++) {
  const log = openLog({ folder, segmentBytes, checkpointEvery });
  for (let index = 0; index < records; index++) {
    const id = `${name}-${open}-${index}`;
    try {
      log.append({ type: "decision", id, at: new Date().toISOString() }, { event: "tool.before", text: "x".repeat(index % pad) });
      write(1, `${id}\n`);
    } catch (error) {
      if (error.code !== fail?.how) throw error;
    }
  }
  try {
    log.close();
  } catch (error) {
    if (error.code !== fail?.how) throw error;
  }
}
write(1, "done\n");

/** The first half of what would have been written. */
function writeHalf(original, [file, buffer, offset = 0, length = buffer.length - offset]) {
  original(file, buffer, offset, Math.floor(length / 2));
}
