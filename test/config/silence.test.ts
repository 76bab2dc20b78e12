/** Whatever stands in a file: reading and linting it end well, and nothing is lost without a word. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfiguration } from "../../src/config/load.ts";
import { namedConfig } from "../../src/config/locate.ts";
import { DIALECT_LIST } from "../../src/dialects/index.ts";
import { lint } from "../../src/lint/lint.ts";
import * as fc from "fast-check";
import { folderWith } from "./folder.ts";
import { trustAll } from "../../src/trust/open.ts";

const scalar = fc.oneof(fc.string(), fc.constantFrom("", "a", "./x.sh", "Bash", "(", "10s", "http://a.test"), fc.integer(), fc.boolean(), fc.constant(null));
const key = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "type",
    "command",
    "args",
    "url",
    "headers",
    "callback",
    "prompt",
    "matcher",
    "tool_name",
    "if",
    "timeout",
    "onFault",
    "enabled",
    "hooks",
    "__proto__",
    "toString",
  ),
);
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(key, scalar, { maxKeys: 3 }));
const hook = fc.oneof(value, fc.dictionary(key, value, { maxKeys: 5 }));
const entry = fc.oneof(hook, fc.record({ matcher: value, hooks: fc.oneof(value, fc.array(hook, { maxLength: 3 })) }));
const events = fc.oneof(fc.constantFrom(...DIALECT_LIST.flatMap((dialect) => [...Object.keys(dialect.events), ...dialect.unfired])), fc.string());
const list = fc.oneof({ weight: 4, arbitrary: fc.array(entry, { maxLength: 4 }) }, { weight: 1, arbitrary: value });
const file = fc.record({
  hooks: fc.oneof({ weight: 6, arbitrary: fc.dictionary(events, list, { maxKeys: 4 }) }, { weight: 1, arbitrary: value }),
  permissions: fc.oneof(value, fc.dictionary(fc.constantFrom("allow", "ask", "deny", "defaultMode", "denny"), value)),
});

test("[F4] every hook that an entry was meant to be is armed, switched off, or told", async () => {
  const cwd = folderWith();
  await fc.assert(
    fc.asyncProperty(file, fc.constantFrom(undefined, ...DIALECT_LIST), fc.constantFrom("s.json", "s.yaml"), async (content, dialect, name) => {
      writeFileSync(join(cwd, name), JSON.stringify(content));
      const configuration = await loadConfiguration({ sources: [namedConfig({ file: name, cwd, dialect })], env: {}, trust: trustAll(), envHooksOf: [] });
      for (const read of configuration.files.flatMap((each) => each.entries)) {
        expect(read.hooks.length).toBeLessThanOrEqual(read.meant);
        if (read.hooks.length < read.meant) expect(read.notices).not.toEqual([]);
      }
      const { hooks, armed, notArmed, findings } = await lint(configuration, { cwd, home: "" });
      expect([armed, hooks]).toEqual([configuration.hooks.length, armed + notArmed]);
      for (const { line = 0, column = 0, file: place } of findings) expect([place, line > 0, column > 0]).toEqual([join(cwd, name), true, true]);
    }),
  );
});
