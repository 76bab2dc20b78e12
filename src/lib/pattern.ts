/** Regular expressions that users write: linear time where it can be had, a time limit where not. */
import { messageOf } from "./errors.ts";

/** A compiled pattern, or why it is none. */
export type Pattern =
  | { readonly kind: "ok"; readonly test: (subject: string) => boolean; readonly engine: "plain" | "linear" | "limited" }
  | { readonly kind: "bad"; readonly message: string };

/** How long a pattern that only a backtracking engine can run may take on one word: more than a busy machine takes from a quick one. */
export const PATTERN_LIMIT_MS = 250;

/** Compiles a pattern. It is searched for anywhere in the word, case counts. */
export async function compilePattern(text: string): Promise<Pattern> {
  let native: RegExp | undefined;
  let message = "";
  try {
    native = new RegExp(text, "u");
  } catch (error) {
    message = messageOf(error);
    native = lenient(text);
  }
  if (native && isPlain(text)) return { kind: "ok", test: (subject) => native.test(subject), engine: "plain" };
  const linear = await compileLinear(text);
  if (linear) return { kind: "ok", test: linear, engine: "linear" };
  if (!native) return { kind: "bad", message: message.replace(/^Invalid regular expression: \/.*\/\w*: /s, "").toLowerCase() };
  return { kind: "ok", test: await limited(native), engine: "limited" };
}

/** Whether quantifiers inside quantified groups could make a backtracking engine take exponential time. */
export function looksExponential(text: string): boolean {
  return /\((?:[^()\\]|\\.)*[+*}](?:[^()\\]|\\.)*\)[+*{]/.test(text) || /\((?:[^()\\]|\\.)*\|(?:[^()\\]|\\.)*\)[+*{]/.test(text);
}

/** No quantified groups, no look-around, no back-references: any engine is fast on it. */
function isPlain(text: string): boolean {
  return !/\)[*+?{]|\(\?(?!:)|\\[1-9k]/.test(text);
}

/** Without the `u` flag more texts are patterns: `\-` or a lone `]`, as users copy them. */
function lenient(text: string): RegExp | undefined {
  try {
    return new RegExp(text);
  } catch {
    return undefined;
  }
}

async function compileLinear(text: string): Promise<((subject: string) => boolean) | undefined> {
  const { RE2JS } = await import("re2js");
  try {
    const compiled = RE2JS.compile(text);
    return (subject) => compiled.matcher(subject).find();
  } catch {
    return undefined;
  }
}

/** Look-around and back-references need the backtracking engine: it runs under a time limit, and out of time is a match. */
async function limited(pattern: RegExp): Promise<(subject: string) => boolean> {
  const { createContext, Script } = await import("node:vm");
  const script = new Script("pattern.test(subject)");
  return (subject) => {
    try {
      return script.runInContext(createContext({ pattern, subject }), { timeout: PATTERN_LIMIT_MS }) === true;
    } catch {
      return true;
    }
  };
}
