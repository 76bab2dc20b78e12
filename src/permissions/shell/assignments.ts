/** Assignments in front of a command, and arguments that look like them. */
import type { Assignment } from "unbash";
import { HOLE } from "../holes.ts";
import type { Assign, Token } from "./tree.ts";
import { readSubscript, readWord, type WordSink } from "./words.ts";

/** `X=1` and `X[i]=1`: its name, its text and what is known of its value. */
export function readAssignment(node: Assignment, sink: WordSink): Assign {
  const { start, end } = sink.span(node.pos, node.end);
  if (node.index) readSubscript(node.index, sink);
  if (node.value.type === "Word") return { name: node.name, raw: node.text, value: readWord(node.value, sink), start, end };
  for (const element of node.value.elements) readWord(element, sink);
  return { name: node.name, raw: node.text, value: undefined, start, end };
}

/** `export X=1`: an argument of the form of an assignment. */
export function assignmentToken(node: Assignment, sink: WordSink): Token {
  const assign = readAssignment(node, sink);
  const value = `${node.name}${node.append ? "+" : ""}=${assign.value?.value ?? HOLE}`;
  return {
    raw: node.text,
    value,
    start: assign.start,
    end: assign.end,
    dynamic: assign.value?.dynamic ?? true,
    splits: false,
    quoted: assign.value?.quoted ?? false,
  };
}
