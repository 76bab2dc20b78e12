/** Shell text → words and operators. Generous: what it can't know for sure it marks, and it never gives up on a text. */

/** A word as a shell would see it, or an operator between words. */
export type Token =
  | {
      readonly kind: "word";
      /** With quotes removed and known variables filled in; `UNKNOWN` stands for what only the run can tell. */
      readonly text: string;
      /** It holds blanks or operators that stood in quotes: perhaps code for another interpreter. */
      readonly code: boolean;
      readonly glob: boolean;
    }
  | { readonly kind: "operator"; readonly text: string };

/** Stands in a word for what is filled in when it runs. */
export const UNKNOWN = "\0";

/** What the tokenizer asks its caller. */
export interface Filling {
  /** The value of a variable; undefined when only the run can tell. */
  readonly variable: (name: string) => string | undefined;
  /** What a command between `$(` and `)` would print; undefined when only the run can tell. */
  readonly substitution: (command: string) => string | undefined;
}

/** The tokens of a text, and the commands that stand in its substitutions. */
export function tokensOf(text: string, filling: Filling): { readonly tokens: readonly Token[]; readonly nested: readonly string[] } {
  const reader = new Tokenizer(text, filling);
  return { tokens: reader.read(), nested: reader.nested };
}

const OPERATOR = /^(&>>|<<<|&&|\|\||;;|<<-|<<|>>|&>|>\||>&|<&|<>|\|&|[;&|()<>\n])/;

const PLAIN = /[\w./@%+,:=~^!{}\]-]+/y;

/** Reads one text from front to back. */
class Tokenizer {
  readonly nested: string[] = [];
  readonly #text: string;
  readonly #filling: Filling;
  readonly #tokens: Token[] = [];
  #at = 0;
  #word: { text: string; quoted: string; glob: boolean } | null = null;

  constructor(text: string, filling: Filling) {
    this.#text = text;
    this.#filling = filling;
  }

  read(): readonly Token[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endWord();
    return this.#tokens;
  }

  #step(): void {
    const plain = this.#plainRun();
    if (plain !== undefined) {
      this.#add(plain);
      this.#at += plain.length;
      return;
    }
    const character = this.#text[this.#at] ?? "";
    const rest = this.#text.slice(this.#at, this.#at + 3);
    const operator = OPERATOR.exec(rest)?.[0];
    if (character === " " || character === "\t" || character === "\r") this.#endWord(1);
    else if (character === "#" && this.#word === null) this.#at = endOf(this.#text, "\n", this.#at);
    else if (operator !== undefined) {
      // `2>`: the number belongs to the operator.
      if (this.#word && /^[<>]/.test(operator) && /^\d+$/.test(this.#word.text)) this.#word = null;
      this.#endWord(operator.length);
      this.#tokens.push({ kind: "operator", text: operator });
    } else if (character === "'") this.#quoted(this.#text.slice(this.#at + 1, endOf(this.#text, "'", this.#at + 1)), 2);
    else if (rest.startsWith("$'")) this.#quoted(this.#text.slice(this.#at + 2, endOf(this.#text, "'", this.#at + 2)), 3);
    else if (character === '"') this.#doubleQuoted();
    else if (character === "\\") {
      if (this.#text[this.#at + 1] !== "\n") this.#add(this.#text[this.#at + 1] ?? "");
      this.#at += 2;
    } else if (character === "$" || character === "`") this.#expansion();
    else {
      this.#add(character);
      if (this.#word && /[*?[]/.test(character)) this.#word.glob = true;
      this.#at += 1;
    }
  }

  /** Characters that mean nothing but themselves, at once. */
  #plainRun(): string | undefined {
    PLAIN.lastIndex = this.#at;
    return PLAIN.exec(this.#text)?.[0];
  }

  #add(text: string): void {
    this.#word ??= { text: "", quoted: "", glob: false };
    this.#word.text += text;
  }

  #quoted(text: string, around: number): void {
    this.#add(text);
    if (this.#word) this.#word.quoted += text;
    this.#at += text.length + around;
  }

  #doubleQuoted(): void {
    this.#add("");
    this.#at += 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const character = this.#text[this.#at] ?? "";
      if (character === "$" || character === "`") {
        this.#expansion();
        continue;
      }
      const next = this.#text[this.#at + 1] ?? "";
      const escaped = character === "\\" && '$`"\\\n'.includes(next) && next !== "";
      this.#quoted(escaped ? next : character, escaped ? 1 : 0);
    }
    this.#at += 1;
  }

  /** A variable or a substitution: known, empty, or marked as unknown. */
  #expansion(): void {
    const rest = this.#text.slice(this.#at);
    const command = rest.startsWith("$((") ? undefined : substitutionOf(rest);
    if (command) {
      this.nested.push(command.inside);
      this.#add(this.#filling.substitution(command.inside) ?? UNKNOWN);
      this.#at += command.length;
      return;
    }
    const braced = /^\$\{(\w+)((?::?[-=+?]|[#%/^,:[])[^}]{0,500})?\}/.exec(rest);
    const plain = /^\$(\w+|[@*#?$!-])/.exec(rest);
    const found = braced ?? plain;
    if (!found) {
      this.#add(rest[0] ?? "");
      this.#at += 1;
      return;
    }
    const value = this.#filling.variable(found[1] ?? "");
    const fallback = /^:?-(.*)$/.exec(braced?.[2] ?? "")?.[1];
    this.#add(
      braced?.[2] !== undefined && fallback === undefined ? (this.#filling.substitution(found[0]) ?? UNKNOWN) : value || (fallback ?? value ?? UNKNOWN),
    );
    this.#at += found[0].length;
  }

  #endWord(skip = 0): void {
    const word = this.#word;
    if (word) this.#tokens.push({ kind: "word", text: word.text, code: /[\s;|&()<>]/.test(word.quoted), glob: word.glob });
    this.#word = null;
    this.#at += skip;
  }
}

/** The command in `$(…)` or backticks at the start of a text. */
function substitutionOf(text: string): { readonly inside: string; readonly length: number } | undefined {
  if (text.startsWith("`")) {
    const end = endOf(text, "`", 1);
    return { inside: text.slice(1, end), length: end + 1 };
  }
  if (!text.startsWith("$(")) return undefined;
  let depth = 0;
  for (let at = 1; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")" && --depth === 0) return { inside: text.slice(2, at), length: at + 1 };
  }
  return { inside: text.slice(2), length: text.length };
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end;
}
