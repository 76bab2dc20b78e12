/** How interpreters are handed code on their command line. */
import type { InterpreterRow } from "./interpreters.ts";
import type { Token } from "./tree.ts";

/** The code attached to an option, "" when it is the next word, undefined when the word is no such option. */
export function codeOption(word: string, code: ReadonlySet<string>, language: InterpreterRow["language"]): string | undefined {
  if (code.has(word)) return "";
  const equals = word.indexOf("=");
  if (word.startsWith("--")) return equals > 0 && code.has(word.slice(0, equals)) ? word.slice(equals + 1) : undefined;
  if (!/^-[a-zA-Z]/.test(word)) return undefined;
  for (let index = 1; index < word.length; index += 1) {
    // `bash -ce`: letters of a shell are options, whatever their order; elsewhere the code follows the letter.
    if (code.has(`-${word[index]}`)) return language === "shell" ? "" : word.slice(index + 1);
  }
  return undefined;
}

/** `bash -c -x code`: shells take the first word that is no option. */
export function nextWord(tokens: readonly Token[], at: number, row: InterpreterRow): Token | undefined {
  if (row.language !== "shell") return tokens[at + 1];
  return tokens.slice(at + 1).find((token) => !/^[-+]./.test(token.value) && token.value !== "--") ?? tokens[at + 1];
}
