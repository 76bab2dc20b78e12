/** Scripts that are not there or can't be started. Relative paths count from the project folder, where hooks run. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { Hook } from "../../model/hook.ts";
import type { Notice } from "../../model/notice.ts";
import type { Check, LintContext } from "../check.ts";
import { noticeAbout } from "../check.ts";
import { scriptOf, type Script } from "../script.ts";

/** A missing guard fails open in most dialects, so it is worth a look before it is needed. */
export const scripts: Check = {
  finds: "scripts that do not exist or are not executable",
  run: async (context) => (await Promise.all(context.hooks.map(async ({ hook }) => checkHook(hook, context)))).flat(),
};

async function checkHook(hook: Hook, context: LintContext): Promise<readonly Notice[]> {
  const problem = await scriptProblem(hook, context);
  return problem ? [noticeAbout(hook, problem)] : [];
}

/** What is wrong with the script that a hook starts; undefined where nothing is, or nothing can be told. */
export async function scriptProblem(hook: Hook, { cwd, home }: Pick<LintContext, "cwd" | "home">): Promise<Pick<Notice, "kind" | "message"> | undefined> {
  const script = scriptOf(hook, { cwd, home });
  if (script?.kind !== "literal") return script && problemOf(script, cwd);
  return { kind: "missing-script", message: `${script.word} is started without a shell, so ~ and $ in it are taken as they stand. Write the whole path` };
}

async function problemOf({ word, path, direct }: Extract<Script, { kind: "file" }>, cwd: string): Promise<Pick<Notice, "kind" | "message"> | undefined> {
  const full = resolve(cwd, path);
  const found = await stat(full).catch(() => undefined);
  if (!found)
    return { kind: "missing-script", message: `${word} does not exist${isAbsolute(path) ? "" : ` (hooks run in ${cwd})`}: create it, or correct the path` };
  if (found.isDirectory()) return { kind: "missing-script", message: `${word} is a folder, not a script: name the script in it` };
  if (!direct || (await isExecutable(full))) return undefined;
  return { kind: "not-executable", message: `${word} is not executable: chmod +x ${path.replace(/^\.\//, "")}` };
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
