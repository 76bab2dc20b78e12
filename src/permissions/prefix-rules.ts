import { TOOLS } from "../model/tools.ts";

/** Words that stand for themselves in a rule. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** Words of the shortest prefix: a program alone says too little. */
const LEAST_WORDS = 2;

/** Rules for the beginnings of a simple command, whole plain words each, the shortest first. */
export function prefixRules(command: string): readonly string[] {
  const words = command.split(" ");
  const odd = words.findIndex((word) => !PLAIN_WORD.test(word));
  const plain = odd < 0 ? words : words.slice(0, odd);
  return plain.slice(LEAST_WORDS - 1).map((_, index) => `${TOOLS.shell.ruleName}(${plain.slice(0, index + LEAST_WORDS).join(" ")}:*)`);
}
