import { identity } from "../../config/load.ts";
import type { Hook } from "../../model/hook.ts";
import type { Check } from "../check.ts";
import { noticeAbout } from "../check.ts";

/** The same hook twice in one file. (Across files reading has told it: there it runs once.) */
export const duplicates: Check = {
  finds: "the same hook twice",
  run: ({ configuration }) =>
    configuration.files.flatMap(({ hooks }) => {
      const first = new Map<string, Hook>();
      return hooks.flatMap((hook) => {
        const key = identity(hook);
        const before = first.get(key);
        first.set(key, before ?? hook);
        if (!before) return [];
        const message = `${hook.name} stands for ${hook.wireName} at ${before.source?.line}:${before.source?.column} already, with the same matcher. Remove one`;
        return [noticeAbout(hook, { kind: "duplicate-hook", message })];
      });
    }),
};
