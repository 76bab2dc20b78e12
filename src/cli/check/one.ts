/** One call under the rules that were given. */
import { resolve } from "node:path";
import { surroundings } from "../../config/locate.ts";
import { evaluate } from "../../permissions/evaluate.ts";
import { compilePolicy } from "../../permissions/rules.ts";
import type { Surface, Words } from "../command.ts";
import { painter } from "../render/colour.ts";
import { shortPaths } from "../render/paths.ts";
import { oneLine } from "../render/text.ts";
import { readCall } from "../why/call.ts";
import { modeOf, sceneHere } from "../why/scene.ts";
import { VERDICT_LOOK } from "../why/words.ts";
import { givenRules } from "./rules.ts";

const DENIED = 2;

/** Answers in one line: the verdict and the reason. */
export async function checkOne(words: Words, surface: Surface): Promise<number> {
  const call = await readCall(words, surface, "check");
  const asked = modeOf(words);
  const cwd = resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? ".");
  const { home } = surroundings({ cwd, env: surface.env });
  const { rules, mode } = await givenRules(words, surface, cwd);
  const policy = compilePolicy(rules);
  for (const { message } of policy.problems) surface.stderr(`snaphook: ${oneLine(message)}\n`);
  const { verdict, ...judgement } = evaluate(call, policy, sceneHere({ cwd, home, mode: asked ?? mode ?? "default" }));
  const word = painter(surface.terminal.colour)(VERDICT_LOOK[verdict].colour, verdict);
  if (words.flags["json"]) surface.stdout(`${JSON.stringify({ decision: verdict, ...judgement })}\n`);
  else surface.stdout(`${word}  ${oneLine(shortPaths(judgement.because, { cwd, home }))}\n`);
  return verdict === "deny" ? DENIED : 0;
}
