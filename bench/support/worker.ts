/** A warm hook that has no opinion, in Node, as a loop over stdin: what a worker in Python or bash is. Answers each line, and says which one it answers. */
export const LOOP_WORKER = `
const { readSync, writeSync } = require("node:fs");
const buffer = Buffer.alloc(65_536);
let rest = Buffer.alloc(0);
for (let length = readSync(0, buffer); length > 0; length = readSync(0, buffer)) {
  rest = Buffer.concat([rest, buffer.subarray(0, length)]);
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    const { id } = JSON.parse(rest.toString("utf8", 0, end));
    rest = rest.subarray(end + 1);
    writeSync(1, JSON.stringify({ id }) + "\\n");
  }
}
`;

/** The same with streams, which a worker needs that does several things at once. */
export const ECHO_WORKER = `
let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) process.stdout.write(JSON.stringify({ id: JSON.parse(line).id }) + "\\n");
});
`;
