import type { Rule } from "../../src/model/rule.ts";
import { VERDICTS, type Verdict } from "../../src/model/verdict.ts";
import { evaluate } from "../../src/permissions/evaluate.ts";
import { noFiles } from "../../src/permissions/file-view.ts";
import type { Judgement } from "../../src/permissions/judgement.ts";
import { compilePolicy } from "../../src/permissions/rules.ts";
import type { Scene } from "../../src/permissions/scene.ts";

/** A plain project, as most tests need it. */
export const SCENE: Scene = { mode: "default", cwd: "/srv/proj", root: "/srv/proj", home: "/home/dev", platform: "posix", files: noFiles };

/** Rules by list, as a settings file has them. */
export function rulesOf(lists: Partial<Record<Verdict, readonly string[]>>): readonly Rule[] {
  return VERDICTS.flatMap((verdict) => (lists[verdict] ?? []).map((text): Rule => ({ verdict, text })));
}

/** The judgement on a shell command. */
export function shell(command: string, lists: Partial<Record<Verdict, readonly string[]>>, scene: Partial<Scene> = {}): Judgement {
  return evaluate({ name: "Bash", input: { command } }, compilePolicy(rulesOf(lists)), { ...SCENE, ...scene });
}

/** How strict a verdict is: 0 allow, 1 ask, 2 deny. */
export function strictness(judgement: Judgement): number {
  return VERDICTS.indexOf(judgement.verdict);
}
