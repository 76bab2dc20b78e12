/** What can't be read is not what is not there: an approval that is out of reach makes a question of its calls. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordFile } from "../../src/trust/record.ts";
import { repository } from "./repository.ts";

const HOOKS = { ".snaphook/hooks.json": { hooks: { "tool.before": [{ command: "exit 2", name: "guard" }] } } };

test("a record that can't be read: its hooks are not new, they are missing, and the call is asked", async () => {
  const repo = repository(HOOKS);
  await repo.trust();
  expect((await repo.fire()).verdict).toBe("deny");
  const file = recordFile(join(repo.home, ".config"), repo.root);
  rmSync(file);
  mkdirSync(file, { mode: 0o700 }); // opens, and can't be read
  const decision = await repo.fire();
  expect([decision.verdict, decision.out]).toEqual(["ask", expect.stringContaining("can't be read")]);
  rmSync(file, { recursive: true });
  expect((await repo.fire()).verdict).toBeNull(); // never approved: nothing is missing
});

test("settings that can't even be looked at are not absent: the call is asked", async () => {
  const repo = repository();
  mkdirSync(join(repo.home, ".config/snaphook"), { recursive: true });
  symlinkSync("settings.json", join(repo.home, ".config/snaphook/settings.json"));
  expect(await repo.fire()).toMatchObject({ verdict: "ask", notices: [{ kind: "unreadable-file" }] });
});
