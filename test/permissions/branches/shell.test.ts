import { describe, expect, test } from "vitest";
import { evaluate } from "../../../src/permissions/evaluate.ts";
import { compilePolicy } from "../../../src/permissions/rules.ts";
import { wordAt } from "../../../src/permissions/shell/tree.ts";
import { SCENE, rulesOf, shell } from "../scenes.ts";

type Lists = Parameters<typeof rulesOf>[0];

const BYPASS = { mode: "bypassPermissions" } as const;
const DENY_RM: Lists = { deny: ["Bash(rm *)"] };

/** What a deny of `rm *` says in the mode that asks nothing by itself: the deny, a doubt, or silence. */
function heard(command: string): string {
  return shell(command, DENY_RM, BYPASS).verdict;
}

describe("wrappers", () => {
  test.each<[string, string]>([
    ["sudo -u x -- A=1 rm y", "deny"],
    ["env -S 'rm x'", "deny"],
    ["env -S", "allow"],
    ["env -S rm x", "deny"],
    ["env -Srm x", "deny"],
    ["env -S 'A=1 rm' x", "deny"],
    ["env -i --split-string=rm x", "deny"],
    ["env --split-string='rm x'", "deny"],
    ["flock -- lock rm x", "deny"],
    ["flock lock rm x", "deny"],
    ["sudo -i", "ask"],
    ["sudo -l rm", "allow"],
    ["nice -5 rm x", "deny"],
    ["timeout --nonsense 5 rm x", "deny"],
    ["setsid -w rm x", "deny"],
    ["unlisted-wrapper rm x", "allow"],
    ["mise x -- rm y", "deny"],
    ["mise x rm y", "ask"],
    ["mise --", "allow"],
    ["gdb --args rm x", "deny"],
    ["xargs -I % rm %", "deny"],
    ["xargs -I% rm %", "deny"],
    ["xargs -I", "allow"],
    ["xargs -0 rm", "deny"],
    ["xargs -x $C x", "ask"],
    ["parallel rm ::: a b", "deny"],
    ["parallel rm a", "deny"],
    ["watch rm x", "deny"],
    ["trap 'rm x' EXIT", "deny"],
    ["su -c 'rm x'", "deny"],
    ["su", "ask"],
    ["docker exec c rm x", "deny"],
    ["docker compose exec c rm x", "deny"],
    ["docker ps", "allow"],
    ["docker", "allow"],
    ["ssh host -p 2 rm x", "deny"],
    ["exec - rm x", "deny"],
    ["env -C /tmp rm x", "deny"],
    ["env -C/tmp -S 'rm x'", "deny"],
    ["sudo -D /tmp rm x", "deny"],
    [`${"env ".repeat(60)}rm x`, "ask"],
    [`${"eval ".repeat(60)}rm x`, "ask"],
  ])("[A3] `%s` is %s", (command, verdict) => expect(heard(command)).toBe(verdict));

  test("[A3] what a wrapper starts elsewhere is judged as if it could be anywhere", () => {
    const lists: Lists = { deny: ["Read(/etc/secret)"] };
    expect(
      ["env -C /etc cat secret", "env --chdir=/etc cat secret", "env cat secret", "ssh host cat secret", "env -C /etc -S 'cat secret'"].map(
        (command) => shell(command, lists, BYPASS).verdict,
      ),
    ).toEqual(["ask", "ask", "allow", "allow", "ask"]);
  });
});

describe("programs that find files for others", () => {
  test.each<[string, string]>([
    ["find . -exec rm {} ;", "deny"],
    ["find . -exec rm {} +", "deny"],
    ["find . -exec", "allow"],
    ["find . -ok sh -c 'rm {}' ';'", "deny"],
    ["find . -name x", "allow"],
    ["find . $X rm", "ask"],
    ["find . -ex* rm", "ask"],
    ["find . -n* x", "allow"],
    ["fd x -x rm", "deny"],
    ["fd x -x rm {/}", "deny"],
    ["fd x --exec rm {}", "deny"],
  ])("[A3] `%s` is %s", (command, verdict) => expect(heard(command)).toBe(verdict));
  test("[A5] what they find is below the folder searched", () => {
    const lists: Lists = { deny: ["Read(/etc/secret)"] };
    expect(
      [
        "find /etc -exec cat {} +",
        "find /tmp -exec cat {} +",
        "find -L /etc -exec cat {} ;",
        "find -exec cat {} ;",
        "find /tmp /etc -exec cat {} +",
        "find /tmp -exec cat pre{} ;",
        "find /tmp -execdir cat x ;",
      ].map((command) => shell(command, lists, BYPASS).verdict),
    ).toEqual(["ask", "allow", "ask", "allow", "ask", "ask", "ask"]);
  });
});

describe("interpreters", () => {
  test.each<[string, string]>([
    ["bash -c 'rm x'", "deny"],
    ["bash -xc 'rm x'", "deny"],
    ["bash -c -x 'rm x'", "deny"],
    ["bash -c", "allow"],
    ["bash -c -x", "allow"],
    ["bash --version", "allow"],
    ["bash script.sh", "ask"],
    ["bash /dev/stdin <<< 'rm x'", "deny"],
    ["bash -s < x", "ask"],
    ["bash -xs <<< 'rm x'", "deny"],
    ["bash - <<< ls", "ask"],
    ["bash -o errexit -c 'rm x'", "deny"],
    ["bash $X", "ask"],
    ["bash $X y", "ask"],
    ["bash <<< 'rm x'", "deny"],
    ["bash <<'E'\nrm x\nE", "deny"],
    ["echo rm x | fish", "ask"],
    ["fish", "allow"],
    ["python3 x.py", "allow"],
    ["python3 $X", "allow"],
    ["python3 $X y", "ask"],
    ["python3 -c 'x'", "ask"],
    ["python3 -m", "allow"],
    ["echo x | python3 -m json.tool", "allow"],
    ["echo x | python3", "ask"],
    ["echo x | python3 -", "ask"],
    ["node --eval=x", "ask"],
    ["node --trace-warnings=x a.js", "allow"],
    ["perl -eprint", "ask"],
    ["perl -ne 'print'", "ask"],
    ["perl -nle'print'", "ask"],
    ["perl -v", "allow"],
    ["node +x", "allow"],
    ["source x", "ask"],
    ["alias x='rm y'", "deny"],
    ["alias -p", "allow"],
    ["alias", "allow"],
  ])("[A3] `%s` is %s", (command, verdict) => expect(heard(command)).toBe(verdict));
});

describe("variables", () => {
  test.each<[string, string]>([
    ["PS4='$(id)' bash -x y", "ask"],
    ["env P'S4=x' ls", "ask"],
    ["A='P'S4 ls", "ask"],
    ["A=P'S4' ls", "ask"],
    ["PAGER='rm x' git log", "ask"],
    ["export PAGER='rm x'", "ask"],
    ["env PAGER='rm x' ls", "ask"],
    ["export A=1", "allow"],
    ["export A+=1 B=(1 2) C[1]=x", "allow"],
    ["A=1", "allow"],
    ["A=(1 $(rm x)) ls", "deny"],
    ["for PATH in a; do ls; done", "allow"],
    ["for http_proxy in a; do ls; done", "allow"],
  ])("[A3] `%s` is %s", (command, verdict) => expect(heard(command)).toBe(verdict));
  test("[A3] only a short list of variables may stand before an allowed command", () => {
    const lists: Lists = { allow: ["Bash(ls *)"] };
    expect(
      ["CI=1 ls x", "CI=$X ls x", "LD_PRELOAD=x ls x", "CI=(1) ls x", "for i in a; do ls x; done", "for PATH in a; do ls x; done"].map(
        (command) => shell(command, lists).verdict,
      ),
    ).toEqual(["allow", "ask", "ask", "ask", "allow", "ask"]);
  });
});

describe("values that turn into code", () => {
  test.each<[string, string]>([
    ["x='a[$(rm y)]'; ((x))", "ask"],
    ["printf -v x '%s' 'a[' '$('; let $x", "ask"],
    ["read x; echo $((x))", "allow"],
    ["x=$(curl y); echo $((x))", "ask"],
    ["read x < <(base64 -d y); echo $((x))", "ask"],
    ["export $X=1; bash -c ls", "ask"],
    ["printf -v $X y; set -x", "ask"],
    ["printf -v a y; set -x", "allow"],
    ["printf '%s' $X; set -x", "allow"],
    ["declare $X; set $Y", "ask"],
    ["declare $X; set -e", "allow"],
    ["declare $X; ls", "allow"],
    ["HOME=/etc; cd; ls", "ask"],
    ["HOME=/etc; ls ~", "ask"],
    ["HOME=/etc; ls a=~", "ask"],
    ["HOME=/etc; ls", "allow"],
    ["echo 'rm x' > y; ./y", "ask"],
    ["echo x > y; ls", "allow"],
    ["echo a[\\$(rm)]", "ask"],
    ["echo a\\[\\$\\(rm\\)]", "ask"],
    ["echo 'a[b]$(x)'", "allow"],
    ["echo 'a[`x`]'", "ask"],
    ["echo '[$(x)]'", "allow"],
  ])("[A1] `%s` is %s", (command, verdict) => expect(heard(command)).toBe(verdict));
  test("[A5] a trap or alias does what it does where the shell is by then", () => {
    const lists: Lists = { deny: ["Read(/etc/secret)"] };
    expect(
      ["trap 'cat secret' EXIT; cd /etc", "trap 'cat secret' EXIT; ls", "alias x='cat secret'; cd /etc"].map(
        (command) => shell(command, lists, BYPASS).verdict,
      ),
    ).toEqual(["ask", "allow", "ask"]);
  });
});

describe("syntax", () => {
  test.each<[string, string]>([
    ["echo ${x@P}", "ask"],
    ["echo ${!x}", "ask"],
    ["echo ${x:=y} ${x:-$(rm y)}", "deny"],
    ["echo ${x%$(rm y)} ${x/a/b} ${x:1:2} ${x:1} ${x^^} ${x^^[a]} ${!x*} ${#x} ${x[1]} ${x[@]}", "deny"],
    ["echo ${x^^} ${x,,[a]} ${x/a/$(rm y)}", "deny"],
    ["echo ${x@}", "ask"],
    ["echo $((1+2)) $((x)) $((-1)) $((1?2:3)) $(((1)))", "allow"],
    ["echo $(( $(rm x) ))", "deny"],
    ["((1 2))", "ask"],
    ["echo $((1 2))", "ask"],
    ["(( a[$(rm x)] ))", "deny"],
    ["[[ -v a[$(rm x)] ]]", "deny"],
    ["[[ -v a && ! ( x -eq 1 ) || a == b ]]", "allow"],
    ["echo $'\\x{41}'", "ask"],
    ["echo $'a\\0b'", "ask"],
    ["$'\\x72m' x", "deny"],
    ['$"rm" x', "deny"],
    ["echo a#b", "allow"],
    ["echo <(rm x)", "deny"],
    ["echo {a,$(rm x)}", "deny"],
    ["echo ?(a|$(rm x)) [$(rm y)]", "deny"],
    ['echo $@ "$@" "$*" "${a[@]}" "${b}"', "allow"],
    ["echo $\\\n(rm x)", "deny"],
    ['echo "a$\\\n(rm x)"', "deny"],
    ["echo a$\\\nb", "ask"],
    ["cat <<E\n$(rm x)\nE", "deny"],
    ["cat <<'E'\n$(rm x)\nE", "allow"],
    ["cat <<E\nx", "ask"],
    ["cat 3<<E 4<<<x\ny\nE", "allow"],
    ["cat <<<", "ask"],
    ["cat >", "ask"],
    ["cat 2>&1 <&- >&2-", "allow"],
    ["cat > /dev/tcp/a/1", "allow"],
    ["cat <> f", "allow"],
    ["time rm x", "deny"],
    ["! rm x", "deny"],
    ["coproc rm x", "deny"],
    ["coproc { rm x; }", "deny"],
    ["f() { rm x; }", "deny"],
    ["f() { cd /x; }; f; ls", "allow"],
    ["while rm x; do ls; done", "deny"],
    ["until ls; do rm x; done", "deny"],
    ["select i in a; do rm x; done", "deny"],
    ["for ((;;)); do rm x; done", "deny"],
    ["if a; then b; elif rm x; then c; else d; fi", "deny"],
    ["case x in a) rm x;; esac", "deny"],
    ["{ rm x; } > f", "deny"],
    ["ls | rm x | id", "deny"],
    ["! ls | id", "allow"],
    ["", "allow"],
    ["[[ a ]]", "allow"],
    ["~ x", "ask"],
    ["~/bin/rm x", "deny"],
    ["/bin/rm x", "deny"],
    ["rm -- x", "deny"],
    ["r\\m x", "deny"],
    ["rm", "allow"],
    ["./rm $X", "deny"],
    ["`echo rm` x", "ask"],
    ["$(rm x", "deny"],
    ["a\0; rm x", "deny"],
  ])("[A2] `%s` is %s", (command, verdict) => expect(heard(command)).toBe(verdict));

  test("[A1] an exception while reading is maybe, never an answer", () => {
    let calls = 0;
    const now = (): number => {
      calls += 1;
      if (calls > 1) throw new Error("out of stack");
      return 0;
    };
    expect(shell("ls", DENY_RM, { ...BYPASS, now })).toMatchObject({
      verdict: "ask",
      step: "unresolved-deny",
      doubts: [{ construct: "deep nesting, out of stack" }],
    });
  });
  test("[A2] a command that is not text is maybe, and no bare allow covers it", () => {
    for (const input of [{}, { command: 7 }]) {
      expect(evaluate({ name: "shell", input }, compilePolicy(rulesOf(DENY_RM)), { ...SCENE, ...BYPASS })).toMatchObject({
        verdict: "ask",
        step: "unresolved-deny",
      });
      expect(evaluate({ name: "shell", input }, compilePolicy(rulesOf({ allow: ["Bash"] })), SCENE).verdict).toBe("ask");
    }
  });
  test("[A2] beyond the last word of a command there is nothing", () => {
    expect(wordAt([], 0)).toBe("");
  });
  test("[A4] rules over several commands are tested on the text and on each pipeline", () => {
    const lists: Lists = { deny: ["Bash(curl * | sh)", "Bash(time ls*)", "Bash(a && b)"] };
    expect(shell("curl x | $Y", lists, { ...BYPASS })).toMatchObject({ verdict: "ask", spoke: [{ rule: { text: "Bash(curl * | sh)" }, match: "maybe" }] });
    expect(shell("time $X ls", lists, { ...BYPASS }).verdict).toBe("ask");
    expect(
      ["curl x | sh", "ls; curl 'x' | sh", "curl x | tee y | sh", "time ls", "time 'ls' x", "time -p ls | cat", "a && b", "a || b"].map(
        (command) => shell(command, lists, BYPASS).verdict,
      ),
    ).toEqual(["deny", "deny", "deny", "deny", "deny", "allow", "deny", "allow"]);
  });
});

describe("programs that run or write through an option", () => {
  test("[A1] an exact rule settles what its owner has seen, for the command and what it starts", () => {
    const lists: Lists = { allow: ["Bash(sudo -x ls -l)", "Bash(git -c core.pager=x log)", "Bash(cp a b)", "Bash(echo *)"] };
    expect(
      ["sudo -x ls -l; echo", "sudo -x ls -l; echo x", "git -c core.pager=x log; echo x", "cp a b; echo x", "sudo -x ls -la; echo x", "cp a c; echo x"].map(
        (command) => shell(command, lists).verdict,
      ),
    ).toEqual(["ask", "allow", "allow", "allow", "ask", "ask"]);
  });
  test("[A1] a harmless wrapper needs no rule of its own, another does", () => {
    const lists: Lists = { allow: ["Bash(ls *)"] };
    expect(["timeout 5 ls x", "timeout 5 rm x", "sudo ls x", "timeout 5"].map((command) => shell(command, lists).verdict)).toEqual([
      "allow",
      "ask",
      "ask",
      "ask",
    ]);
  });
  const ALLOW: Lists = {
    allow: [
      "Bash(git *)",
      "Bash(awk *)",
      "Bash(sed *)",
      "Bash(ssh *)",
      "Bash(tar *)",
      "Bash(make *)",
      "Bash(find *)",
      "Bash(gdb *)",
      "Bash(less *)",
      "Bash(less)",
      "Bash(wget *)",
      "Bash(rsync *)",
    ],
  };
  test.each<[string, string]>([
    ["git status", "allow"],
    ["git", "ask"],
    ["git --version", "allow"],
    ["git -c color.ui=never log", "allow"],
    ["git -c core.pager=x log", "ask"],
    ["git -ccore.pager=x log", "ask"],
    ["git -ccolor.ui=never log", "allow"],
    ["git -c", "allow"],
    ["git -C sub log", "allow"],
    ["git -C ../x log", "ask"],
    ["git -C $X log", "ask"],
    ["git --exec-path=/x log", "ask"],
    ["git $X", "ask"],
    ["git fetch $X", "ask"],
    ["git fetch -- $X", "allow"],
    ["git fetch *", "allow"],
    ["git fetch ext::sh", "ask"],
    ["git config x y", "ask"],
    ["git config --get x", "allow"],
    ["awk '{ print $1 }' x", "allow"],
    ["awk", "ask"],
    ["awk -F: x", "allow"],
    ["awk -f prog", "allow"],
    ["awk --file=prog", "allow"],
    ["awk -v a=b", "allow"],
    ['awk "$X"', "ask"],
    ["awk 'BEGIN { system(1) }'", "ask"],
    ["awk '{ print > 1 }'", "ask"],
    ["sed -n p x", "allow"],
    ["sed -i s/a/b/ x", "ask"],
    ["sed --in-pl s/a/b/ x", "ask"],
    ["sed -e s/a/b/e x", "ask"],
    ["sed --expression=w\\ x y", "ask"],
    ["sed -e", "allow"],
    ["sed -f prog x", "allow"],
    ["sed -- p", "allow"],
    ["sed -n", "allow"],
    ["sed $X y", "ask"],
    ["ssh -o ProxyCommand=x h", "ask"],
    ["ssh -oLogLevel=x h", "allow"],
    ["ssh -o $X h", "ask"],
    ["ssh -o", "allow"],
    ["tar --to-comm=x -f y", "ask"],
    ["tar --checkpoint=1 -f y", "allow"],
    ["tar xzf y", "allow"],
    ["tar -f $X", "allow"],
    ["tar $X", "ask"],
    ["tar --$X", "ask"],
    ["tar xIf y z", "ask"],
    ["make SHELL=x", "ask"],
    ["make all", "allow"],
    ["gdb x", "ask"],
    ["less +!x", "ask"],
    ["less", "allow"],
    ["find . -delete", "ask"],
    ["find . -fprint x", "ask"],
    ["wget -O x y", "ask"],
    ["rsync --remove-source-files a b", "ask"],
  ])("[A3] an allow of the program, `%s`: %s", (command, verdict) => expect(shell(command, ALLOW).verdict).toBe(verdict));
});
