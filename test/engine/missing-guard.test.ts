/** A file that can't be read may hold the guard of the next event: what each deciding event makes of that. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { EVENTS, type EventName } from "../../src/model/events.ts";
import { tempFolder, writeFiles } from "../support/temp.ts";

const BROKEN = '{"hooks": {';
const PLACES = {
  managed: "root/etc/snaphook/settings.json",
  user: "home/.config/snaphook/settings.json",
  project: "project/.lime/settings.json",
} as const;

type Layer = keyof typeof PLACES;

/** An engine with one file that can't be read, and hooks of the user that allow everything. */
async function engineWithout(layer: Layer): Promise<{ readonly engine: Engine; readonly file: string }> {
  const base = tempFolder();
  for (const name of ["project", "home"]) mkdirSync(join(base, name), { recursive: true });
  const allowing = [{ command: `echo '{"verdict": "allow", "context": "told"}'` }];
  const hooks = { "tool.before": allowing, "permission.request": allowing, "prompt.submit": allowing, "config.change": allowing };
  writeFiles(base, { "home/.config/snaphook/hooks.json": { hooks }, [PLACES[layer]]: BROKEN });
  const engine = await createEngine({
    cwd: join(base, "project"),
    env: { PATH: process.env["PATH"], HOME: join(base, "home") },
    managed: { root: join(base, "root"), owner: process.geteuid?.() ?? 0 },
  });
  onTestFinished(async () => engine.close());
  return { engine, file: join(base, PLACES[layer]) };
}

const TOOL = { name: "shell", input: { command: "ls" } };

describe.each(Object.keys(PLACES).filter((layer): layer is Layer => Object.hasOwn(PLACES, layer)))("%s settings that can't be read", (layer) => {
  test.each(["tool.before", "permission.request"] as const)("%s: a hook's allow does not answer for the guard that may be missing", async (name) => {
    const { engine, file } = await engineWithout(layer);
    const { verdict, reason } = await engine.fire({ name, tool: TOOL });
    expect([verdict, reason]).toEqual(["ask", `${file} can't be read, so a guard in it may be missing`]);
  });

  test("prompt.submit: denied where the guard may be the machine owner's; where it is the user's own, the notice tells", async () => {
    const { engine, file } = await engineWithout(layer);
    const { verdict, reason, notices } = await engine.fire({ name: "prompt.submit", prompt: "hello" });
    expect([verdict, reason]).toEqual(layer === "managed" ? ["deny", `${file} can't be read, so a guard in it may be missing`] : ["allow", null]);
    expect(notices.filter(({ kind }) => kind === "unreadable-file").map((notice) => notice.file)).toEqual([file]);
  });

  test("no other event is stopped, config.change least of all: it may be the repair", async () => {
    const { engine } = await engineWithout(layer);
    const others = Object.keys(EVENTS).filter(
      (name): name is Exclude<EventName, "tool.before" | "permission.request" | "prompt.submit"> =>
        !["tool.before", "permission.request", "prompt.submit"].includes(name) && Object.hasOwn(EVENTS, name),
    );
    for (const name of others) {
      const { verdict } = await engine.fire({ name, tool: TOOL });
      expect([name, verdict]).toEqual([name, name === "config.change" ? "allow" : null]);
    }
  });
});
