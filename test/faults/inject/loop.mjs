// node loop.mjs LIBRARY '{"cwd", "env", "launcher", "event", "input", "warm", "step", "turns", "share": {"index", "of"}, "skip", "limitMs"}': fires one event again and again in engines of
// their own, each time with another call failing, and prints a line for each: what was decided, and what went wrong.
import { injection, say } from "./injector.mjs";
import { runsOf } from "./runs.mjs";

const [library, text] = process.argv.slice(2);
const { cwd, env, launcher, event, input, warm, step, turns, share, skip, limitMs } = JSON.parse(text);
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

// An engine beside those that are disturbed keeps the shells that they share, and has them ready before each.
const keeper = warm ? await createEngine({ cwd, env, launcher }) : undefined;

async function makeWarm() {
  for (let each = 0; each < 3; each++) {
    await keeper?.fire(readEvent(event, input));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function once(at, how) {
  if (keeper) await makeWarm();
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
