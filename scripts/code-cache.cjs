// Required before bin/snaphook.js by the build: when the program ends, the code of every file it loaded is written beside it.
const { writeFileSync } = require("node:fs");

const compiled = new Map();
globalThis.snaphookCompiled = (script, cache) => compiled.set(cache, script);
process.on("exit", () => {
  for (const [cache, script] of compiled) writeFileSync(cache, script.createCachedData());
});
