import type { Check } from "../check.ts";
import { noticeAbout } from "../check.ts";

/** Http hooks that fail each time, since a list does not let their address through. */
export const urls: Check = {
  finds: "http hooks whose address is in no list of `allowedHttpHookUrls`",
  run: ({ configuration }) =>
    configuration.files.flatMap(({ hooks }) =>
      hooks.flatMap((hook) => {
        const refused = hook.action.type === "http" ? hook.action.refused : null;
        return refused === null ? [] : [noticeAbout(hook, { kind: "refused-url", message: refused })];
      }),
    ),
};
