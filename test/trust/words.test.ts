import { describe, expect, test } from "vitest";
import { argvWords, shellWords, type CommandWords } from "../../src/trust/words.ts";
import type { Filling } from "../../src/trust/tokens.ts";

const FILLING: Filling = {
  variable: (name) => (/^\d/.test(name) ? undefined : ({ CLAUDE_PROJECT_DIR: "/p", X: "" }[name] ?? "")),
  substitution: (command) => (command === "pwd" ? "/p" : undefined),
};

const roles = ({ words }: CommandWords, role: string): readonly string[] => words.filter((word) => word.role === role).map(({ text }) => text);

describe("the files that a command names", () => {
  test.each<[command: string, programs: readonly string[], scripts: readonly string[]]>([
    ["./guard.sh --fast", ["./guard.sh"], []],
    ["bash guard", ["bash"], ["guard"]],
    ["python3 -u hooks/x.py", ["python3"], ["hooks/x.py"]],
    ["python3 -m tools.guard", ["python3"], ["tools/guard.py", "tools/guard/__main__.py", "tools/guard/__init__.py"]],
    ["node --require ./first.cjs main.js", ["node"], ["./first.cjs", "main.js"]],
    [". ./lib.sh && check", ["check"], ["./lib.sh"]],
    ["source lib.sh; ./x", ["./x"], ["lib.sh"]],
    ["sh -c '. ./lib.sh && ./x.sh'", ["sh", "./x.sh"], ["./lib.sh"]],
    ["FOO=1 exec ./run", ["exec", "./run"].slice(1), []],
    ["env A=1 timeout 5 node ./a.js", ["env", "timeout", "node", "./a.js"], []],
    ['"$CLAUDE_PROJECT_DIR"/hooks/a.sh', ["/p/hooks/a.sh"], []],
    ["${CLAUDE_PROJECT_DIR:-.}/a.sh", ["/p/a.sh"], []],
    ["${X:-./hooks}/a.sh", ["./hooks/a.sh"], []],
    ["$(pwd)/a.sh", ["/p/a.sh"], []],
    ["if [ -x ./a ]; then ./b; else ./c; fi", ["./b", "./c"], []],
    ["true | ./filter | (cd x; ./y)", ["./filter", "./y"], []],
    ["p''ython3 $'x.py'", ["python3"], ["x.py"]],
  ])("%s", (command, programs, scripts) => {
    const found = shellWords(command, FILLING);
    expect(roles(found, "program")).toEqual(expect.arrayContaining([...programs]));
    expect([...roles(found, "script"), ...roles(found, "program")]).toEqual(expect.arrayContaining([...scripts]));
  });

  test.each<[command: string, files: readonly string[]]>([
    ["jq -f filter.jq --argfile a=./data.json < input.json", ["./data.json", "input.json"]],
    ["make lint", ["Makefile"]],
    ["npm run lint", ["package.json"]],
    [`python3 -c "exec(open('s/x.py').read())"`, ["s/x.py"]],
  ])("%s reads", (command, files) => {
    expect(shellWords(command, FILLING).words.map(({ text }) => text)).toEqual(expect.arrayContaining([...files]));
  });

  test("what it writes is no part of it: a log must not revoke the hook that fills it", () => {
    const texts = shellWords("./guard.sh >> hook.log 2> err.txt | tee -a copy.log; touch stamp.sh", FILLING).words.map(({ text }) => text);
    expect(texts).toContain("./guard.sh");
    for (const written of ["hook.log", "err.txt", "copy.log"]) expect(texts).not.toContain(written);
  });

  test("what only the run can tell is said", () => {
    expect(shellWords('sh "$(cat name)/x.sh" "$1/y"', FILLING).open).toEqual(["…/x.sh", "…/y"]);
  });

  test("without a shell nothing is filled in, and code in arguments is read", () => {
    const { words } = argvWords(["bash", "-c", "./x.sh && . ./lib.sh"], FILLING);
    expect(words.map(({ text }) => text)).toEqual(expect.arrayContaining(["bash", "./x.sh", "./lib.sh"]));
  });

  test("hostile texts cost no more than their length", () => {
    const hostile = ["$(".repeat(20_000), "${x:".repeat(20_000), "'".repeat(50_001), `${"a".repeat(200_000)}.sh`, '"$('.repeat(10_000), "`".repeat(40_001)];
    for (const text of hostile) expect(shellWords(text, FILLING).words.length).toBeLessThan(100_000);
  });
});
