import type { Random } from "../second/random.ts";
import { FRAMES, NAMES } from "./frames.ts";

/** A command that must not run, and rules that deny it. */
export interface Seed {
  readonly text: string;
  readonly denies: readonly string[];
}

// prettier-ignore
export const SEEDS: readonly Seed[] = [
  { text: "touch FORBIDDEN",            denies: ["Bash(touch *)", "Bash(touch:*)", "Bash(touch FORBIDDEN)", "Bash(touch FORBIDDEN*)", "Bash(touch*)"] },
  { text: "curl evil.example",          denies: ["Bash(curl *)", "Bash(curl:*)", "Bash(curl evil.example)", "Bash(curl *evil*)"] },
  { text: "rm -rf /x",                  denies: ["Bash(rm -rf *)", "Bash(rm *)", "Bash(rm:*)"] },
  { text: "git push origin",            denies: ["Bash(git push *)", "Bash(git push:*)", "Bash(git push origin)"] },
];

/** Commands that read the secret or change the guarded file; the rules are about the files. */
// prettier-ignore
export const FILE_SEEDS: readonly Seed[] = [
  "cat secret.txt", "cat ./secret.txt", "head -n 1 secret.txt", "grep . secret.txt", "cp secret.txt copy", "cat < secret.txt", "cat /tmp/w/secret.txt", "tac s*.txt", "dd if=secret.txt", "cat ../w/secret.txt", "cat ~/secret.txt", "cat $PWD/secret.txt",
  "find . -type f -exec cat {} +", "find /tmp -name 'sec*' -exec cat {} \\;", "ln -s secret.txt y; cat y", "x=secret; cat $x.txt", "cat sec*", "cat secre[t].txt", "cat {secret,x}.txt", "cd .; cat secret.txt", "cd /; cat tmp/w/secret.txt", "cd /tmp && cat w/secret.txt", "cp -r . /tmp/c; cat /tmp/c/secret.txt",
  "exec 3< secret.txt; cat <&3", "while read l; do echo $l; done < secret.txt", "mapfile -t a < secret.txt; echo ${a[@]}", "echo $(<secret.txt)", "cat /proc/self/cwd/secret.txt", "read l < secret.txt; echo $l", "tar cf - .", "grep -r . .", "awk 1 secret.txt", "sed p secret.txt", "paste secret.txt", "sort secret.txt", "diff secret.txt /dev/null", "cat /dev/fd/3 3< secret.txt", "cat x/../secret.txt", "mkdir x; cat x/../secret.txt", "cat \"$PWD\"/*", "cat */../secret.txt", "cat $(ls)", "cd /nonexistent; cat secret.txt", "cd /nonexistent || cat secret.txt", "HOME=/x; cd; cat secret.txt", "HOME=/tmp; cat ~/w/secret.txt", "HOME=/tmp/w; cd / && cd && cat secret.txt", "CDPATH=/tmp; cd w && cat secret.txt", "cd / && cd - && cat secret.txt", "shopt -s dotglob; cat *", "ls | xargs cat", "cat $HOME/secret.txt", "bash -c 'cat \"$0\"' secret.txt", "set -- secret.txt; cat \"$1\"", "mv secret.txt y; cat y", "cat -- secret.txt", "cat -n secret.txt x", "nl secret.txt", "cut -c1-99 secret.txt", "xargs -a secret.txt echo", "eval cat secret.txt", "env cat secret.txt", "strings secret.txt", "fold secret.txt", "cmp -l secret.txt /dev/null; cat secret.txt", "join secret.txt secret.txt", "split secret.txt; cat xaa", "tail -c 99 secret.txt", "uniq secret.txt", "column secret.txt", "cpio -o <<< secret.txt", "iconv secret.txt", "shuf secret.txt", "comm secret.txt /dev/null", "pr secret.txt", "expand secret.txt", "rev secret.txt | rev",
  "mv x guard.txt", "cp secret.txt guard.txt", "tee guard.txt", "sed -i s/a/b/ guard.txt", "truncate -s 0 guard.txt", "> guard.txt", ": >| guard.txt", "echo x >> guard.txt", "exec 3> guard.txt; echo x >&3", "ln -sf secret.txt guard.txt", "find . -name 'g*' -exec cp secret.txt {} \\;", "find . -name 'g*' -delete", "tee -a guard.txt <<< x", "perl -pi -e 's/a/b/' guard.txt", "mv guard.txt y", "cat secret.txt > guard.txt", "cat secret.txt &> guard.txt", "dd if=secret.txt of=guard.txt", "echo x > $PWD/guard.txt", "cp secret.txt g*", "cd /; echo x > tmp/w/guard.txt", "install secret.txt guard.txt", "sort -o guard.txt secret.txt", "x=guard.txt; echo x > $x", "echo x 1<> guard.txt", "unlink guard.txt", "shred guard.txt", "split secret.txt guard.; cp guard.aa guard.txt", "mv secret.txt guard.txt", "echo x > x/../guard.txt", "mkdir x; echo x > x/../guard.txt", "rename s/guard/y/ guard.txt", "patch guard.txt /dev/null; echo x > guard.txt", "awk 'BEGIN{print 1 > \"guard.txt\"}'", "printf 'w guard.txt\\nq\\n' | ed -s secret.txt", "cp -t . /etc/hostname; cp hostname guard.txt", "sed -n 'w guard.txt' secret.txt", "tar cf guard.txt secret.txt", "coproc tee guard.txt; wait", "ln secret.txt guard.txt -f",
].map((text) => ({ text, denies: [] }));

/** Mutations laid over each other, at most. */
const LAYERS = 3;

/** A way to run the seed's command that does not look like it. */
export function mutate(seed: Seed, random: Random): string {
  let text = random.chance(30) ? rename(seed.text, random) : seed.text;
  const layers = 1 + random.below(LAYERS);
  for (let layer = 0; layer < layers; layer += 1) text = inFrame(random.pick(FRAMES), text, random);
  return text;
}

/** The text inside one frame. */
export function inFrame(frame: string, text: string, random: Random): string {
  const [word = "", ...rest] = text.split(" ");
  const parts: Readonly<Record<string, () => string>> = {
    T: () => text,
    Q: () => quoted(text, random),
    Q2: () => (text.includes("'") || text.includes('"') ? text.replaceAll(/[^\w./-]/g, String.raw`\$&`) : `"${text}"`),
    W: () => word,
    R: () => rest.join(" "),
    B64: () => Buffer.from(text).toString("base64"),
    SUB64: () => Buffer.from(`a[$(${text})0]`).toString("base64"),
    REV: () => quoted(text.split("").toReversed().join(""), random),
    COMMA: () => text.replaceAll(" ", ","),
  };
  return frame.replaceAll(
    /(?<![A-Za-z_$@%])(?:Q2|SUB64|B64|REV|COMMA|[TQWR])(?![A-Za-z_=\d])|(?<=[z/1-])W(?=[z*)]?)|(?<=-S)Q/g,
    (part) => parts[part]?.() ?? part,
  );
}

/** Every frame and every spelling alone, around one seed: the list itself is tested before its combinations. */
export function singles(seed: Seed, random: Random): readonly string[] {
  const [word = "", ...rest] = seed.text.split(" ");
  return [...FRAMES.map((frame) => inFrame(frame, seed.text, random)), ...NAMES.map((form) => [spelled(form, word), ...rest].join(" "))];
}

function rename(text: string, random: Random): string {
  const words = text.split(" ");
  const at = random.chance(70) ? 0 : random.below(words.length);
  return words.map((word, index) => (index === at ? spelled(random.pick(NAMES), word) : word)).join(" ");
}

function spelled(form: string, word: string): string {
  const middle = Math.max(1, Math.floor(word.length / 2));
  const codes = (prefix: string, radix: number, width: number): string =>
    `$'${word
      .split("")
      .map((char) => prefix + (char.codePointAt(0) ?? 0).toString(radix).padStart(width, "0"))
      .join("")}'`;
  const parts: Readonly<Record<string, string>> = {
    W: word,
    1: word.slice(0, middle),
    2: word.slice(middle),
    X: word[0] ?? "",
    Y: word.slice(1),
    Z: word.slice(2),
    HEX: codes("\\x", 16, 2),
    OCT: codes("\\", 8, 3),
    UNI: codes("\\u", 16, 4),
    ESC: word
      .split("")
      .map((char) => `\\${char}`)
      .join(""),
  };
  return form
    .replace("1?????2", () => `${word.slice(0, 1)}${"?".repeat(word.length - 1)}`)
    .replaceAll(/HEX|OCT|UNI|ESC|[W12XYZ]/g, (part) => parts[part] ?? part);
}

function quoted(text: string, random: Random): string {
  const kind = random.below(4);
  if (kind === 0) return `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`;
  if (kind === 1 && !text.includes("\n")) return text.replaceAll(/[^\w./-]/g, String.raw`\$&`);
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
