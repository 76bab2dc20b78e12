import type { Action } from "../../model/hook.ts";
import type { Check } from "../check.ts";
import { noticeAbout } from "../check.ts";

/** Variables in http headers that will be left empty. */
export const headers: Check = {
  finds: "variables in http headers that `allowedEnvVars` does not list",
  run: ({ hooks }) =>
    hooks.flatMap(({ hook }) => {
      const missing = hook.action.type === "http" ? unlisted(hook.action) : [];
      return missing.map((name) =>
        noticeAbout(hook, {
          kind: "unsupported-option",
          message: `$${name} in a header is not in allowedEnvVars and will be left empty: add "allowedEnvVars": [${JSON.stringify(name)}]`,
        }),
      );
    }),
};

function unlisted({ headers: texts, secret, allowedEnv }: Extract<Action, { type: "http" }>): readonly string[] {
  if (allowedEnv === null) return [];
  const named = [...Object.values(texts), secret ?? ""].flatMap((text) =>
    [...text.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)].map((match) => match[1] ?? match[2] ?? ""),
  );
  return [...new Set(named)].filter((name) => !allowedEnv.includes(name));
}
