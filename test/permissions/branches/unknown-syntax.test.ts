import { describe, expect, test } from "vitest";
import { parse, type Script, type WordPart } from "unbash";
import type { Unit } from "../../../src/permissions/shell/tree.ts";
import { walkScript } from "../../../src/permissions/shell/walk.ts";
import type { Collector } from "../../../src/permissions/shell/walk-scope.ts";
import { readArithmetic, readParts, type WordSink } from "../../../src/permissions/shell/words.ts";

function collector(): Collector {
  return { units: [], uses: [], doubts: [], pipelines: [], positions: 0, foldCase: false, found: (_: Unit) => undefined };
}

/** Walks a script in which one node is of another kind than any table knows, as a later parser may give it. */
function walked(text: string, change: (script: Script) => void): readonly string[] {
  const script = parse(text);
  change(script);
  const out = collector();
  walkScript(script, { origin: { source: text, fixed: undefined }, depth: 0, parent: undefined, places: [[]], certain: true }, out);
  return out.doubts.map(({ kind, detail }) => `${kind}: ${detail}`);
}

function rename(node: object | undefined, type: string): void {
  Object.assign(node ?? {}, { type });
}

describe("[A1] what the parser may learn later is never read as harmless", () => {
  test("a command of an unknown kind", () => {
    expect(walked("ls", ({ commands }) => rename(commands[0]?.command, "Spawn"))).toEqual(["unknown-syntax: Spawn"]);
  });
  test("a test of an unknown kind", () => {
    expect(
      walked("[[ -n x ]]", ({ commands }) => {
        const command = commands[0]?.command;
        if (command?.type === "TestCommand") rename(command.expression, "TestFuzzy");
      }),
    ).toEqual(["unknown-syntax: TestFuzzy"]);
  });
  test("arithmetic, a substitution or an expansion without what is in it", () => {
    const strip = (key: string) => (script: Script) => {
      const command = script.commands[0]?.command;
      const word = command?.type === "Command" && command.suffix[0]?.type === "Word" ? command.suffix[0].parts?.[0] : command;
      Object.defineProperty(word ?? {}, key, { value: undefined });
    };
    expect(walked("((x))", strip("expression"))).toEqual(["arithmetic-code: x"]);
    expect(walked("echo $((x))", strip("expression"))).toEqual(["arithmetic-code: $((x))"]);
    expect(walked("echo $(x)", strip("script"))).toEqual(["syntax: $(x)"]);
    expect(walked("echo ${x@P}", strip("operation"))).toEqual(["prompt-string: ${x@P}"]);
    expect(walked("echo ${x}", strip("operation"))).toEqual([]);
  });
  test("a redirection of an unknown kind, and one with an unknown operator that reads and writes", () => {
    const redirect = (type: string, operator: string) => (script: Script) => {
      const command = script.commands[0]?.command;
      if (command?.type === "Command") Object.assign(command.redirects[0] ?? {}, { type, operator });
    };
    expect(walked("ls > x", redirect("Tee", ">"))).toEqual(["unknown-syntax: Tee"]);
    const script = parse("ls > x");
    redirect("Redirect", ">~")(script);
    const out = collector();
    walkScript(script, { origin: { source: "ls > x", fixed: undefined }, depth: 0, parent: undefined, places: [[]], certain: true }, out);
    expect(out.uses.map(({ access }) => access)).toEqual(["read", "write"]);
  });
  test("a part of a word and a piece of arithmetic of an unknown kind", () => {
    const doubts: string[] = [];
    const sink: WordSink = {
      source: "",
      fixed: undefined,
      span: (start, end) => ({ start, end }),
      script: () => undefined,
      doubt: (kind, _start, _end, detail) => void doubts.push(`${kind}: ${detail}`),
    };
    const part = parse("echo a'b'").commands[0]?.command;
    const parts: readonly WordPart[] = (part?.type === "Command" && part.suffix[0]?.type === "Word" && part.suffix[0].parts) || [];
    rename(parts[1], "Sparkle");
    expect(readParts(parts, false, sink)).toBe("a\uFDD1");
    const arithmetic = parse("((1))").commands[0]?.command;
    const expression = arithmetic?.type === "ArithmeticCommand" ? arithmetic.expression : undefined;
    rename(expression, "ArithmeticMagic");
    readArithmetic(expression, sink);
    readArithmetic(undefined, sink);
    expect(doubts).toEqual(["unknown-syntax: Sparkle", "unknown-syntax: ArithmeticMagic"]);
  });
});
