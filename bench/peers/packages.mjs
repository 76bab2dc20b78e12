// Small peers: one function each, which makes a task ready and returns a function that does it once.
import { createRequire } from "node:module";
import { execa } from "execa";
import { createHooks } from "hookable";
import { AsyncSeriesHook } from "tapable";

const Database = createRequire(import.meta.url)("libsql");

/** execa: a command with its event on stdin. */
export async function execaCommand({ args, stdin, env }) {
  return () => execa("/bin/sh", args, { input: stdin, env, extendEnv: false });
}

/** tapable: asynchronous functions, one after another. */
export async function tapableDispatch({ hooks }) {
  const hook = new AsyncSeriesHook(["event"]);
  for (let index = 0; index < hooks; index++) hook.tapPromise(`hook ${index}`, async () => undefined);
  const event = { name: "tool.before" };
  return () => hook.promise(event);
}

/** tapable: functions that can't wait, called by what can be waited for. */
export async function tapableSynchronous({ hooks }) {
  const hook = new AsyncSeriesHook(["event"]);
  for (let index = 0; index < hooks; index++) hook.tap(`hook ${index}`, () => undefined);
  const event = { name: "tool.before" };
  return () => hook.promise(event);
}

/** hookable: asynchronous functions, one after another. */
export async function hookableDispatch({ hooks }) {
  const all = createHooks();
  for (let index = 0; index < hooks; index++) all.hook("tool.before", async () => undefined);
  const event = { name: "tool.before" };
  return async () => all.callHook("tool.before", event);
}

/** SQLite in WAL mode: one record, one transaction. */
export async function sqliteRecord({ file, record }) {
  const database = new Database(file);
  database.exec("pragma journal_mode = wal; pragma synchronous = normal; create table records (at real, record text)");
  const insert = database.prepare("insert into records values (?, ?)");
  return () => insert.run(Date.now(), record);
}
