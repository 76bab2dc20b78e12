// node loop.mjs LIBRARY '{"cwd", "env", "launcher", "event", "input", "step", "turns", "share": {"index", "of"}, "skip", "limitMs"}': fires one event again and again in engines of
// their own, each time with another call failing, and prints a line for each: what was decided, and what went wrong.
import { injection, say } from "./injector.mjs";
import { runsOf } from "./runs.mjs";

const [library, text] = process.argv.slice(2);
const { cwd, env, launcher, event, input, step, turns, share, skip, limitMs } = JSON.parse(text);
const { createEngine, readEvent } = await import(library);
const left = [];
for (const kind of ["unhandledRejection", "uncaughtException"]) process.on(kind, (error) => left.push(`${kind}: ${error?.stack ?? error}`));

async function fire() {
  let engine;
  let stage = "create";
  try {
    engine = await createEngine({ cwd, env, ...(launcher && { launcher }) });
    stage = "fire";
    const { verdict, notices } = await engine.fire(readEvent(event, input));
    return { verdict, notices: notices.map(({ kind }) => kind) };
  } catch (error) {
    return { thrown: `${stage}: ${error?.stack ?? error}` };
  } finally {
    // A fault may also hit the end; what was decided stays decided.
    await engine?.close().catch((error) => left.push(`close: ${error?.stack ?? error}`));
  }
}

async function once(at, how) {
  Object.assign(injection, { at, how, calls: [] });
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(() => resolve({ hung: true }), limitMs)));
  const outcome = await Promise.race([fire(), late]);
  clearTimeout(timer);
  injection.at = 0;
  const called = injection.calls[at - 1] ?? null;
  await new Promise((resolve) => setImmediate(resolve));
  say({ at, how, called, calls: injection.calls.length, ...outcome, left: left.splice(0) });
  return outcome.hung !== true;
}

await once(0, "EIO"); // loads what is loaded when first used
await once(0, "EIO");
const runs = runsOf(injection.calls.length, { step, turns }).filter((_, place) => place % share.of === share.index);
for (const { at, how } of runs.slice(skip)) if (!(await once(at, how))) break;
process.exit(0);
