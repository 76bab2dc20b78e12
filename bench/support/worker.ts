/** A warm hook that has no opinion, in Node: answers each line, and says which one it answers. */
export const ECHO_WORKER = `
let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) process.stdout.write(JSON.stringify({ id: JSON.parse(line).id }) + "\\n");
});
`;
