/** Whether a literal still holds, unescaped, what should have been a substitution: the parser missed it. */
export function findHiddenCode(text: string): boolean {
  if (!SUSPICIOUS.test(text)) return false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === "\\") {
      // A line continuation between $ and ( vanishes: the shell sees a substitution.
      if (text[index + 1] === "\n" && text[index - 1] === "$") return true;
      index += 1;
    } else if (char === "`") {
      return true;
    } else if (OPENERS.has(text.slice(index, index + 2))) {
      return true;
    }
  }
  return false;
}

/** Whether plain text holds `name[$(…)]`: no code where it stands, but many builtins evaluate it. */
export function hasSubscriptCode(value: string): boolean {
  let open = false;
  for (let at = value.indexOf("[", 1); at >= 0 && at < value.length; at += 1) {
    const char = value[at];
    if (char === "[") open ||= /[\w(]/.test(value.charAt(at - 1));
    else if (char === "]") open = false;
    else if (open && (char === "`" || (char === "$" && value[at + 1] === "("))) return true;
  }
  return false;
}

const OPENERS: ReadonlySet<string> = new Set(["$(", "${", "$[", "<(", ">("]);

/** Where a substitution could begin: most words are plain. */
const SUSPICIOUS = /[`$<>]/;

/** Whether `$'…'` holds an escape that bash does not document, or a NUL, which cuts the text. */
export function hasOddEscape(text: string): boolean {
  const body = text.slice(2, -1);
  return body.replace(DOCUMENTED, "").includes("\\") || NUL_ESCAPE.test(body);
}

const DOCUMENTED = /\\(?:[abeEfnrtv\\'"?]|[0-7]{1,3}|x[0-9a-fA-F]{1,2}(?!\{)|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|c[@-_a-z?])/g;
const NUL_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\(?:0{1,3}(?![0-7])|x0{1,2}(?![0-9a-fA-F])|u0{1,4}(?![0-9a-fA-F])|U0{1,8}(?![0-9a-fA-F])|c@)/;

/** Whether a text can't be executed as written: NUL, lone surrogates, or the characters reserved for holes. */
export function hasOddCharacter(text: string): boolean {
  return ODD_CHARACTER.test(text);
}

const ODD_CHARACTER = /[\0\uFDD0-\uFDD2]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
