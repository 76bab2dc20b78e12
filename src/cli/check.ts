import { SnaphookError } from "../model/errors.ts";
import type { Command } from "./command.ts";
import { CONFIG_OPTIONS } from "./config-options.ts";
import { checkBatch } from "./check/batch.ts";
import { checkOne } from "./check/one.ts";
import { RULE_OPTIONS } from "./check/rules.ts";
import { checkSuggest } from "./check/suggest.ts";
import { CALL_OPTIONS } from "./why/call.ts";
import { MODE_OPTION } from "./why/scene.ts";

/** `snaphook check`. */
export const checkCommand: Command = {
  summary: "evaluate permission rules: one call, a batch, or a log of answered prompts",
  usage: 'check "<command>" | --tool TOOL --input JSON | --batch FILE | --suggest LOG  [--rules FILE]… [--allow RULE]… [--mode MODE]',
  options: {
    ...CALL_OPTIONS,
    ...RULE_OPTIONS,
    mode: MODE_OPTION,
    batch: { type: "string", value: "FILE", help: "calls as JSON lines {id, rules: {allow, ask, deny}, mode, tool, input}; - is stdin" },
    suggest: { type: "string", value: "LOG", help: "the smallest set of allow rules for the prompts approved in a log of `run --json`; - is stdin" },
    generalise: { type: "boolean", help: "with --suggest: also offer wider rules, marked as such" },
    ...CONFIG_OPTIONS,
  },
  notes: [
    "Without --rules, --allow, --ask and --deny the rules found here count; a folder that is not trusted may only tighten.",
    "Prints the decision and why. deny ends with 2, allow and ask with 0: what is asked is not refused.",
    "--batch writes one line {id, decision, because} for each line, in order. A line may also have cwd, home (else those of an example project),",
    'fs {symlinks: {path: target}} and platform ("case-insensitive", "windows"). A line that can\'t be read is asked, told on stderr,',
    "and the command ends with 78.",
    "--suggest writes exact rules, verified against every approved and every denied call; what a rule can't name, as the content",
    "written to a file, is marked. A rule also allows its command as a part of a longer one whose other parts are allowed.",
  ],
  run: async (words, surface) => {
    const batch = words.values["batch"]?.at(-1);
    const log = words.values["suggest"]?.at(-1);
    if (batch !== undefined && log !== undefined)
      throw new SnaphookError("SNAP_USAGE", { message: "--batch and --suggest are two different checks: use one of them" });
    if (words.positionals.length > 0 && (batch !== undefined || log !== undefined))
      throw new SnaphookError("SNAP_USAGE", {
        message: `${JSON.stringify(words.positionals[0])} and --${batch === undefined ? "suggest" : "batch"} are two different checks: use one of them`,
      });
    if (batch !== undefined) return checkBatch(batch, surface);
    if (log !== undefined) return checkSuggest(log, words, surface);
    return checkOne(words, surface);
  },
};
