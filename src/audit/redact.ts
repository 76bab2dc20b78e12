/** Secrets: by the name of the key they stand under, by their shape, and by the values of variables with secret names. */
import { isSecretName } from "../lib/secret-name.ts";

/** A shape of text that is a secret. */
export interface SecretShape {
  readonly name: string;
  readonly pattern: RegExp;
  /** Groups that are kept: none, what stands before the secret, or what stands before and after it. */
  readonly keeps: 0 | 1 | 2;
  /** In lower case; any text with this shape contains one of them. */
  readonly marks: readonly string[];
}

const SECRET_WORD = "pass(?:word|wd|phrase)|[_-]pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|account[_-]?key|credentials?";
const WORD_MARKS = ["passw", "passphrase", "pwd", "secret", "token", "key", "credential"];

/** The shapes, the most telling first. Every repetition is bounded or stands alone: text from outside can't make them slow. */
// prettier-ignore
export const SECRET_SHAPES: readonly SecretShape[] = [
  { name: "private key",    keeps: 0, marks: ["-----begin"],                       pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END )[\s\S])*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g },
  { name: "aws key",        keeps: 0, marks: ["akia", "asia", "abia", "acca"],     pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g },
  { name: "github token",   keeps: 0, marks: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],                pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_[A-Za-z0-9_]{16,255})/g },
  { name: "gitlab token",   keeps: 0, marks: ["glpat-"],                           pattern: /\bglpat-[\w-]{16,255}/g },
  { name: "slack token",    keeps: 0, marks: ["xox"],                              pattern: /\bxox[abeoprs]-[\w-]{10,255}/g },
  { name: "api key",        keeps: 0, marks: ["sk-", "sk_", "rk_", "aiza", "npm_", "hf_"], pattern: /\b(?:sk-[\w-]{16,255}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|AIza[\w-]{35}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,255})/g },
  { name: "jwt",            keeps: 0, marks: ["eyj"],                              pattern: /\beyJ[\w-]{8,4096}\.[\w-]{4,8192}(?:\.[\w-]{0,4096})?/g },
  { name: "authorization",  keeps: 1, marks: ["bearer", "basic"],                  pattern: /\b((?:bearer|basic)\s{1,8})[\w.~+/=-]{8,8192}/gi },
  { name: "password",       keeps: 2, marks: ["://"],                              pattern: /(\b[a-z][a-z0-9+.-]{0,40}:\/\/[^\s/:@"'?#]{0,256}:)[^\s/@"']{1,1024}(@)/gi },
  { name: "header",         keeps: 1, marks: ["api-key", "cookie", "auth-token"],  pattern: /(\b(?:x-api-key|x-auth-token|set-cookie|cookie)\s{0,8}:\s{0,8})[^\r\n"']{4,8192}/gi },
  { name: "secret",         keeps: 1, marks: WORD_MARKS,                           pattern: new RegExp(`((?:\\b|_)[\\w-]{0,64}(?:${SECRET_WORD})\\\\{0,3}["']?\\s{0,8}[=:]\\s{0,8}\\\\{0,3}["']?)(?!\\$|\\[redacted|\\s)[^\\s"'&;,|)}\\]\\\\]{3,4096}`, "gi") },
  { name: "secret",         keeps: 1, marks: WORD_MARKS,                           pattern: new RegExp(`((?:^|\\s)--?[\\w-]{0,64}(?:${SECRET_WORD})\\s{1,8}["']?)(?!\\$|\\[redacted|-)[^\\s"'&;,|)]{3,4096}`, "gi") },
  { name: "password",       keeps: 1, marks: [" -u", " --user"],                   pattern: /(\s(?:-u|--user)[\s=]{0,4}["']?[^\s:"']{1,256}:)(?!\$|\[redacted)[^\s"']{1,1024}/g },
];

/** A value below this length is no secret that could be told from other text; a path is the place of one. */
const SHORTEST_VALUE = 8;
const PATH = /^[~.]{0,2}\//;

/** What stands in a secret's place. */
export function redactedWord(name: string): string {
  return `[redacted ${name}]`;
}

/** The values of variables with secret names, the longest first. */
export function secretValues(env: { readonly [name: string]: string | undefined }): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST_VALUE && isSecretName(name) && !PATH.test(value) ? [value] : [],
  );
  return [...new Set(values)].toSorted((left, right) => right.length - left.length);
}

/** Text without its secrets. `values` are secrets known by heart. */
export function redactText(text: string, values: readonly string[] = []): string {
  let clean = text;
  for (const value of values) if (clean.includes(value)) clean = clean.replaceAll(value, redactedWord("variable"));
  if (!mayHoldSecret(clean)) return clean;
  const lower = clean.toLowerCase();
  for (const { name, pattern, keeps, marks } of SECRET_SHAPES) {
    if (marks.some((mark) => lower.includes(mark))) clean = clean.replace(pattern, `${keeps > 0 ? "$1" : ""}${redactedWord(name)}${keeps > 1 ? "$2" : ""}`);
  }
  return clean;
}

/** Whether a text may hold a secret by its shape: one look, and for most text the last one. */
export function mayHoldSecret(text: string): boolean {
  return ANY_MARK.test(text);
}

const ANY_MARK = new RegExp([...new Set(SECRET_SHAPES.flatMap(({ marks }) => marks))].map((mark) => mark.replaceAll(/[-/]/g, "\\$&")).join("|"), "i");
