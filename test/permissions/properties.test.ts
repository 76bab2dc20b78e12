import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MODES, type Rule } from "../../src/model/rule.ts";
import { evaluate } from "../../src/permissions/evaluate.ts";
import { compilePolicy } from "../../src/permissions/rules.ts";
import { readCorpus } from "./corpus.ts";
import { SCENE, rulesOf, shell, strictness } from "./scenes.ts";

/** Random token strings in one run; `SNAPHOOK_FUZZ=1200000` for the long one. */
const FUZZ = Number(process.env["SNAPHOOK_FUZZ"] ?? 20_000);
const RUNS = 400;
/** One answer may take this long; looked at again before it counts, for the machine may be busy with something else. */
const LIMIT_MS = 50;
const LOOKS = 5;

const COMMANDS = [
  ...new Set(
    [...readCorpus("./corpus/bypass.jsonl"), ...readCorpus("./siblings.jsonl")].flatMap(({ input }) =>
      typeof input["command"] === "string" && input["command"].length < 300 ? [input["command"]] : [],
    ),
  ),
];
const RULES = [
  "Bash(rm -rf *)",
  "Bash(git push *)",
  "Bash(git push)",
  "Bash(pnpm *)",
  "Bash(echo *)",
  "Bash(git *)",
  "Bash(ls *)",
  "Bash(find *)",
  "Bash(*)",
  "Bash",
  "Read(**/.env)",
  "Write(/etc/**)",
  "Write(*)",
  "Bash(curl:*)",
  "Bash(",
  "mcp__x",
  "Read(~/.ssh/**)",
  "Bash(sed *)",
  "Bash(cat *)",
];

const RM = { deny: ["Bash(rm -rf *)"] };
const DENIED = COMMANDS.filter((one) => shell(one, RM).verdict === "deny");

const command = fc.constantFrom(...COMMANDS);
const rule = fc.record({ verdict: fc.constantFrom("allow", "ask", "deny"), text: fc.constantFrom(...RULES) });
const rules = fc.array(rule, { maxLength: 6 });
const mode = fc.constantFrom(...MODES);

function judge(text: string, list: readonly Rule[], inMode: (typeof MODES)[number]): number {
  return strictness(evaluate({ name: "Bash", input: { command: text } }, compilePolicy(list), { ...SCENE, mode: inMode }));
}

describe("properties of the gate", () => {
  test.each([
    { rule: "a deny", verdict: "deny", change: "adding", loosens: (without: number, with_: number) => with_ < without },
    { rule: "an ask", verdict: "ask", change: "adding", loosens: (without: number, with_: number) => with_ < without },
    { rule: "an allow", verdict: "allow", change: "removing", loosens: (without: number, with_: number) => without < with_ },
  ] as const)("[A1] $change $rule never loosens", ({ verdict, loosens }) => {
    fc.assert(
      fc.property(
        command,
        rules,
        fc.constantFrom(...RULES),
        mode,
        (text, list, extra, inMode) => !loosens(judge(text, list, inMode), judge(text, [...list, { verdict, text: extra }], inMode)),
      ),
      { numRuns: RUNS },
    );
  });
  test("[A2] appending a command never loosens", () => {
    fc.assert(
      fc.property(command, command, fc.constantFrom("; ", " && ", " || ", "\n"), rules, mode, (text, more, operator, list, inMode) => {
        // A text that is empty or not whole by itself says nothing about what stands behind it.
        fc.pre(text.trim() !== "" && shell(text, {}, { mode: "bypassPermissions" }).doubts.length === 0 && !/<</.test(text) && !/[#\\]/.test(text));
        return judge(text + operator + more, list, inMode) >= judge(text, list, inMode);
      }),
      { numRuns: RUNS },
    );
  });
  test("[A2] appending a command to one that is asked or denied by a rule never loosens", () => {
    fc.assert(
      fc.property(command, command, fc.constantFrom("; ", " && ", "\n"), (text, more, operator) => {
        fc.pre(!/<<|[#\\]/.test(text) && shell(text, {}, { mode: "bypassPermissions" }).doubts.every(({ why }) => !why.includes("bash would not read")));
        const lists = { deny: ["Bash(rm -rf *)", "Write(/etc/**)"], ask: ["Bash(git push *)"] };
        const scene = { mode: "bypassPermissions" } as const;
        return strictness(shell(text + operator + more, lists, scene)) >= strictness(shell(text, lists, scene));
      }),
      { numRuns: RUNS },
    );
  });
  test.each([
    "( % )",
    "{ %\n}",
    "if true; then %\nfi",
    "while true; do %\ndone",
    "f() { %\n}; f",
    "! %",
    "true && %",
    "for i in 1; do %\ndone",
    "case x in x) %\n;; esac",
    "$( %\n)",
    "time %",
  ])("[A2] `%s` around a denied command never allows it", (frame) => {
    const framed = DENIED.map((text) => frame.replace("%", () => text));
    expect(framed.length).toBeGreaterThan(100);
    expect(framed.filter((text) => shell(text, RM, { mode: "bypassPermissions" }).verdict === "allow")).toEqual([]);
  });
  test.each(["( % )", "{ % ; }", "if true; then % ; fi"])("[A2] `%s` keeps plain denied commands denied", (frame) => {
    for (const text of ["rm -rf /", "sudo rm -rf /", "sh -c 'rm -rf /'", "xargs rm -rf x", "echo $(rm -rf /)", "'rm' -rf /"]) {
      expect(
        shell(
          frame.replace("%", () => text),
          { deny: ["Bash(rm -rf *)"] },
          { mode: "bypassPermissions" },
        ).verdict,
      ).toBe("deny");
    }
  });
  test("[A1] the order of rules is irrelevant", () => {
    fc.assert(
      fc.property(command, rules, mode, (text, list, inMode) => judge(text, list, inMode) === judge(text, list.toReversed(), inMode)),
      { numRuns: RUNS },
    );
  });
  test("[R2] plan, default, acceptEdits and bypassPermissions allow more and more", () => {
    fc.assert(
      fc.property(command, rules, (text, list) => {
        const ranks = MODES.map((inMode) => judge(text, list, inMode));
        return ranks.every((rank, index) => index === 0 || rank <= (ranks[index - 1] ?? 2));
      }),
      { numRuns: RUNS },
    );
  });
});

const TOKENS = [
  "rm",
  "-rf",
  "/",
  "echo",
  "a",
  "$(",
  ")",
  "`",
  "'",
  '"',
  "\\",
  "\n",
  " ",
  " ",
  ";",
  "&",
  "&&",
  "|",
  "||",
  "(",
  "{",
  "}",
  "[[",
  "]]",
  "((",
  "))",
  "<",
  ">",
  "<<",
  "<<<",
  "EOF",
  "$",
  "${",
  "x",
  "=",
  "if",
  "then",
  "fi",
  "do",
  "done",
  "for",
  "in",
  "case",
  "esac",
  "while",
  "function",
  "time",
  "!",
  "#",
  "*",
  "?",
  "[",
  "]",
  "~",
  "{a,b}",
  "$'",
  "\\x",
  "@",
  "%",
  ",",
  "1",
  "<(",
  ">(",
  "coproc",
  "eval",
  "sudo",
  "sh",
  "-c",
  "xargs",
  "find",
  "-exec",
  "é",
  "\u00a0",
  "\t",
  "\r",
  ".env",
  ">&",
  "2>",
  "select",
  "&>",
  "|&",
  ";;",
  "env",
  "A=1",
];

describe("random text", () => {
  test(`[A1] ${FUZZ} random token strings never throw and never take 50 ms`, () => {
    const policy = compilePolicy(rulesOf({ deny: ["Bash(rm -rf *)", "Read(**/.env)"], allow: ["Bash(echo *)"] }));
    let seed = 20_261_115;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const slow: string[] = [];
    for (let run = 0; run < FUZZ; run += 1) {
      const text = Array.from({ length: 1 + random(24) }, () => TOKENS[random(TOKENS.length)] ?? "").join(random(2) === 0 ? " " : "");
      const call = { name: "shell", input: { command: text } };
      const timed = (): number => {
        const start = performance.now();
        evaluate(call, policy, SCENE);
        return performance.now() - start;
      };
      if (timed() > LIMIT_MS && Array.from({ length: LOOKS }, timed).every((took) => took > LIMIT_MS)) slow.push(text);
    }
    expect(slow).toEqual([]);
  }, 3_600_000);
});
