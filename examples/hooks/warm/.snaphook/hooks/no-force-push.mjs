import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { id, tool } = JSON.parse(line);
  const forced = /git push .*--force/.test(tool?.input?.command ?? "");
  console.log(JSON.stringify({ id, ...(forced && { verdict: "deny", reason: "force pushes rewrite what others have" }) }));
}
