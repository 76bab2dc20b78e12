import type { Redirection } from "unbash";
import { hasHole } from "../holes.ts";
import { wordAt, type FileUse, type Places, type Stdin, type Unit } from "./tree.ts";
import { UNKNOWN, addDoubt, sinkFor, unknownNode, type Collector, type Frame } from "./walk-scope.ts";
import { readParts, readWord } from "./words.ts";

// prettier-ignore
const REDIRECT_ACCESS: Readonly<Record<string, readonly FileUse["access"][]>> = {
  ">": ["write"], ">>": ["write"], ">|": ["write"], "&>": ["write"], "&>>": ["write"], ">&": ["write"],
  "<": ["read"], "<&": ["read"], "<>": ["read", "write"],
};

/** The files of redirections; answers the standard input they give, if any. */
export function redirects(nodes: readonly Redirection[], frame: Frame, out: Collector): Stdin | undefined {
  const sink = sinkFor(frame);
  let stdin: Stdin | undefined;
  for (const node of nodes) {
    const standard = node.descriptor === undefined || (node.descriptor.type === "FileDescriptor" && node.descriptor.value === 0);
    const span = sink.span(node.pos, node.end);
    switch (node.type) {
      case "HereDoc": {
        if (node.closing === undefined || node.delimiter === undefined) addDoubt(out, "syntax", span, "here-document");
        const value = node.delimiter?.quoted || !node.body.parts ? node.body.text : readParts(node.body.parts, true, sink);
        if (standard) stdin = { kind: "text", token: { raw: node.body.text, value, ...span, dynamic: hasHole(value), splits: false, quoted: true } };
        continue;
      }
      case "HereString": {
        if (node.target === undefined) addDoubt(out, "syntax", span, "<<<");
        else if (standard) stdin = { kind: "text", token: readWord(node.target, sink) };
        else readWord(node.target, sink);
        continue;
      }
      case "Redirect": {
        if (node.target === undefined) {
          addDoubt(out, "syntax", span, node.operator);
          continue;
        }
        const token = readWord(node.target, sink);
        if (node.operator.startsWith("<") && standard) stdin = UNKNOWN;
        const duplicates = node.operator.endsWith("&") && /^(\d+-?|-)$/.test(token.value);
        if (duplicates) continue;
        if (/^\/dev\/(tcp|udp)\//.test(token.value)) addDoubt(out, "network-file", span, token.value);
        for (const access of REDIRECT_ACCESS[node.operator] ?? ["read", "write"]) {
          out.uses.push({
            access,
            token,
            ...span,
            places: frame.places,
            certain: frame.scope.entry.certain,
            recursive: false,
            needs: "rule",
            source: "redirect",
            unit: undefined,
          });
        }
        continue;
      }
    }
    unknownNode(node, frame, out);
  }
  return stdin;
}

/** Where the shell is after a command: `cd` moves it, other movers may move it anywhere. */
export function placesAfter(unit: Unit, places: Places): Places {
  const program = unit.tokens[0];
  if (program === undefined || !MOVERS.has(program.value)) return places;
  const args = unit.tokens.slice(1);
  const operands = args.filter((token) => !/^-[LPe@]*$/.test(token.value) || token.value === "-");
  const target = operands[0];
  if (program.value !== "cd" || places === undefined || target?.dynamic || target?.value === "-" || operands.length > 1) return undefined;
  const step = target?.value ?? "~";
  return places.some((place) => place.length >= STEP_LIMIT) ? undefined : places.map((place) => [...place, step]);
}

/** Changes of folder that are followed one after another. */
const STEP_LIMIT = 64;

/** Whether something that a command started in this very shell goes to another folder: `command cd`, `eval`, a trap. */
export function movedBy(units: readonly Unit[], from: number, starter: Unit): boolean {
  for (let at = from; at < units.length; at += 1) {
    const unit = units[at];
    if (unit === undefined || !MOVERS.has(wordAt(unit.tokens, 0))) continue;
    let one = unit.parent;
    while (one && one !== starter && SAME_SHELL.has(wordAt(one.tokens, 0))) one = one.parent;
    if (one === starter && SAME_SHELL.has(wordAt(starter.tokens, 0))) return true;
  }
  return false;
}

const SAME_SHELL: ReadonlySet<string> = new Set(["command", "builtin", "eval", "trap", "alias"]);

const MOVERS: ReadonlySet<string> = new Set(["cd", "pushd", "popd"]);
