/** What a small script in an argument may do besides transforming text. */
export type ScriptEffect = "none" | "reads" | "runs" | "writes";

/** Reads a sed script far enough to find the commands and flags that run or write; what it can't read runs. */
export function sedEffect(script: string): ScriptEffect {
  let at = 0;
  let effect: ScriptEffect = "none";
  while (at < script.length) {
    at = skipAddress(script, at);
    const command = script[at];
    if (command === undefined) break;
    if (/[\s;{}!,]/.test(command)) {
      at += 1;
    } else if (command === "s" || command === "y") {
      const end = skipDelimited(script, at + 1, 2);
      if (end < 0) return "runs";
      const flags = script.slice(end, end + script.slice(end).search(/[^a-zA-Z0-9]|$/));
      if (command === "s" && /[e]/.test(flags)) return "runs";
      if (command === "s" && /[wW]/.test(flags)) effect = "writes";
      at = /[wW]/.test(flags) ? lineEnd(script, end) : end + flags.length;
    } else if (command === "e") {
      return "runs";
    } else if (command === "w" || command === "W") {
      effect = "writes";
      at = lineEnd(script, at);
    } else if (/[aicrR]/.test(command)) {
      if (/[rR]/.test(command) && effect === "none") effect = "reads";
      at = lineEnd(script, at);
    } else if (/[bBtT:]/.test(command)) {
      const end = script.slice(at).search(/[;\n}]/);
      at = end < 0 ? script.length : at + end;
    } else if (command === "#") {
      at = lineEnd(script, at);
    } else if (/[=dDgGhHlLnNpPqQxzFv]/.test(command)) {
      at += 1;
      while (/[\d ]/.test(script[at] ?? "")) at += 1;
    } else {
      return "runs";
    }
  }
  return effect;
}

function lineEnd(script: string, at: number): number {
  const end = script.indexOf("\n", at);
  return end < 0 ? script.length : end + 1;
}

function skipAddress(script: string, from: number): number {
  let at = from;
  for (;;) {
    const char = script[at];
    if (char === undefined) return at;
    if (/[\s;\d$,!~+]/.test(char)) {
      at += 1;
    } else if (char === "/" || char === "\\") {
      const end = char === "/" ? skipDelimited(script, at, 1) : skipDelimited(script, at + 1, 1);
      if (end < 0) return at;
      at = end;
      while (/[IM]/.test(script[at] ?? "")) at += 1;
    } else {
      return at;
    }
  }
}

/** The place after `count` texts that end in the delimiter at `at`; -1 when one is missing. */
function skipDelimited(script: string, at: number, count: number): number {
  const delimiter = script[at];
  if (delimiter === undefined || delimiter === "\n" || delimiter === "\\") return -1;
  let index = at + 1;
  for (let left = count; left > 0; index += 1) {
    const char = script[index];
    if (char === undefined) return -1;
    if (char === "\\") index += 1;
    else if (char === "[" && delimiter !== "[") {
      const close = classEnd(script, index);
      if (close > 0 && left === count) index = close;
    } else if (char === delimiter) left -= 1;
  }
  return index;
}

/** The `]` of a bracket expression that closes on the same line, else -1. */
function classEnd(script: string, open: number): number {
  if (!script.includes("]", open)) return -1;
  let index = open + 1;
  if (script[index] === "^") index += 1;
  if (script[index] === "]") index += 1;
  while (index < script.length && script[index] !== "]" && script[index] !== "\n") index += 1;
  return script[index] === "]" ? index : -1;
}

/** Looks at an awk program without its strings and patterns: pipes, `system`, `getline`, and `print … > file`. */
export function awkEffect(program: string): ScriptEffect {
  const bare = program
    .replace(/#[^\n"/]*(?=\n|$)/g, "")
    .replace(/"(?:\\.|[^"\\])*"/gs, '""')
    .replace(/(^|[(,~!&|{};=\s])\/(?:\\.|\[[^\]]*\]|[^/\\\n])+\//g, "$1 0 ");
  if (/\bsystem\s*\(|\bgetline\b|@\s*(?:load|include)|(?<!\|)\|(?!\|)|\|&|@\w+\s*\(/.test(bare)) return "runs";
  for (const statement of bare.split(/[;\n{}]/)) {
    const print = /\bprintf?\b(.*)/s.exec(statement)?.[1];
    if (print !== undefined && />/.test(withoutParentheses(print))) return "writes";
  }
  return "none";
}

function withoutParentheses(text: string): string {
  let depth = 0;
  let kept = "";
  for (const char of text) {
    if (char === "(") depth += 1;
    if (depth === 0) kept += char;
    if (char === ")") depth -= 1;
  }
  return kept;
}
