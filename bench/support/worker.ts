/** A warm hook that has no opinion, in Node: answers each line, and says which one it answers. */
export const ECHO_WORKER = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(JSON.stringify({ id: JSON.parse(line).id }));
});
`;
