// Required before bin/snaphook.js by the build: when the program ends, every file it loaded is written once more, with its compiled code.
const { readFileSync, writeFileSync } = require("node:fs");

const HEAD_BYTES = 8;
const compiled = new Map();
globalThis.snaphookCompiled = (script, file) => compiled.set(file, script);
process.on("exit", () => {
  for (const [file, script] of compiled) writeFileSync(`${file}.packed`, packed(readFileSync(file), script.createCachedData()));
});

/** The length of the text, the text, the code; each begins at a multiple of eight, for the engine would copy what does not. */
function packed(text, code) {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(text.length);
  return Buffer.concat([head, text, Buffer.alloc(-text.length & (HEAD_BYTES - 1)), code]);
}
