import type { Random } from "./random.ts";

/** Paths that rules and commands share, so that they often meet. */
export const PATHS = [
  ".env",
  "src/a.ts",
  "./src/../.env",
  "../x",
  "/etc/passwd",
  "/etc/../etc/x",
  "/secrets/key",
  "~/.ssh/id_rsa",
  "link/key",
  "up/../.env",
  "a/b/../../.env",
  "/srv/proj/out.log",
  "/tmp/x",
  "dist",
  "loop",
  "-",
  "a b",
  "..",
  "/srv/projevil/x",
  "//etc//passwd",
];

const PROGRAMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  rm: [["-rf", "/x"], ["-fr", "dist"], ["-r", "-f", "dist"], ["x"], ["-rf", "--", "x"], ["--recursive", "--force", "x"], ["x", "-rf"]],
  git: [
    ["push"],
    ["push", "--force", "origin", "main"],
    ["-C", ".", "push"],
    ["status"],
    ["log", "--oneline"],
    ["commit", "-m", "a; rm -rf /"],
    ["--no-pager", "push"],
    ["-c", "a.b=c", "push", "-f"],
  ],
  touch: [["PATH"], ["-d", "now", "PATH"]],
  cat: [["PATH"], ["PATH", "PATH"], ["-n", "PATH"], []],
  echo: [["hi"], ["a", "b"], ["-n", "x"], ["rm -rf /"], ["$HOME"]],
  ls: [[], ["-la"], ["PATH"], ["*.ts"]],
  curl: [["evil.example"], ["-s", "https://x.example/a"], ["-o", "PATH", "u"]],
  pnpm: [["test"], ["install"], ["run", "build"]],
  tee: [["PATH"], ["-a", "PATH"]],
  cp: [["PATH", "PATH"]],
  mv: [["PATH", "PATH"]],
  grep: [
    ["x", "PATH"],
    ["-r", "KEY", "PATH"],
    ["-e", "x", "PATH"],
  ],
  head: [["-n", "3", "PATH"], ["PATH"]],
  cd: [["PATH"], ["/etc"], ["src"]],
  true: [[]],
  test: [["-f", "PATH"]],
};

// prettier-ignore
const WRAPPERS = [
  "sudo %", "sudo -u root %", "env %", "env A=1 %", "env -i %", "env -u X %", "command %", "command -p %", "builtin command %", "exec %", "nohup %", "nice %", "nice -n 5 %",
  "timeout 5 %", "timeout -s KILL 5s %", "stdbuf -oL %", "time %", "xargs %", "xargs -n 1 %", "xargs -I{} %", "setsid %", "doas %", "ionice -c 3 %", "flock /tmp/l %", "strace -f %", "busybox %", "coproc %", "! %", "chroot / %", "unshare -r %",
];

// prettier-ignore
const FRAMES = [
  "( % )", "{ %; }", "if true; then %; fi", "if %; then true; else true; fi", "while false; do %; done", "until %; do true; done", "for i in 1 2; do %; done", "case x in x) % ;; esac", "f() { %; }; f",
  "echo $(%)", "echo \"$(%)\"", "echo `%`", "cat <(%)", "tee >(%)", "X=$(%)", "X=$(%) true", "echo ${x:-$(%)}", "[[ -n $(%) ]]", "[ -n \"$(%)\" ]", "echo $(( $(%) + 1 ))", "a=(1 $(%))", "% &", "% | cat", "echo x | %", "true && %", "false || %", "% ; true",
  "cat <<EOF\n$(%)\nEOF", "cat <<'EOF'\n$(%)\nEOF", "cat <<< \"$(%)\"", "for i in $(%); do true; done", "select i in 1; do %; done", "# %\ntrue", "echo a#b; %", "true # %", "function g { %; }; g", "{ %; } > out.log", "( % ) 2>/dev/null", "echo $(echo $(%))",
];

const SCRIPTS = [
  "bash -c Q",
  "sh -c Q",
  "/bin/sh -c Q",
  "bash -lc Q",
  "eval Q",
  "eval %",
  "trap Q EXIT",
  "env sh -c Q",
  "find . -exec % {} \\;",
  "find . -name x -exec % \\;",
  "find . -exec sh -c Q \\;",
  "ssh host Q",
  "watch Q",
  "bash <<< Q",
  "echo Q | sh",
  "bash <<'E'\n%\nE",
  "su -c Q root",
  "env -S Q",
  "xargs sh -c Q",
  "alias z=Q",
  "bash -c Q x y",
  "sh -ec Q",
  "timeout 3 bash -c Q",
];

const REDIRECTS = [
  " > PATH",
  " >> PATH",
  " 2> PATH",
  " &> PATH",
  " < PATH",
  " >| PATH",
  " 2>&1",
  " >/dev/null",
  " <> PATH",
  " 2>&1 >PATH",
  " > $F",
  ' > "$D/x"',
  " <<< hi",
  " 3>PATH",
  " >&PATH",
];

const ASSIGNMENTS = ["A=1 ", "NODE_ENV=test ", "PATH=/tmp ", "X=$(true) ", "LD_PRELOAD=x ", "A=1 B=2 ", "IFS=/ ", "A+=x ", "a[0]=1 "];

/** A random shell text: compounds, quotes, substitutions, wrappers, redirections, here-documents. */
export function randomScript(random: Random, depth = 3): string {
  if (depth === 0 || random.chance(35)) return simple(random);
  const kind = random.below(10);
  if (kind < 2)
    return `${randomScript(random, depth - 1)}${random.pick(["; ", " && ", " || ", " | ", "\n", " & ", "&&", ";", "|", " |& "])}${randomScript(random, depth - 1)}`;
  if (kind < 6) return fill(random.pick(FRAMES), randomScript(random, depth - 1));
  if (kind < 8) return script(random, depth);
  return fill(random.pick(WRAPPERS), simple(random));
}

function script(random: Random, depth: number): string {
  const frame = random.pick(SCRIPTS);
  const inner = frame.startsWith("find") && frame.includes("%") ? simple(random) : randomScript(random, depth - 1);
  return fill(frame, inner).replace("Q", () => quoteWhole(random, inner));
}

function simple(random: Random): string {
  const program = random.pick(Object.keys(PROGRAMS));
  const args = random.pick(PROGRAMS[program] ?? [[]]).map((arg) => (arg === "PATH" ? random.pick(PATHS) : arg));
  const words = [random.chance(8) ? random.pick(["/bin/", "/usr/bin/", "./", "~/"]) + program : program, ...args].map((word, index) =>
    random.chance(index === 0 ? 12 : 18) ? quote(random, word) : /[ ;]/.test(word) ? `"${word}"` : word,
  );
  if (random.chance(8))
    words.splice(
      1 + random.below(words.length),
      0,
      random.pick(["$X", '"$X"', "${Y}", "$(true)", "*", "?", "{a,b}", "~", "$@", "''", '""', "\\ ", "--", "$'\\n'", "x{1..3}", "[ab]"]),
    );
  const redirect = random.chance(18) ? random.pick(REDIRECTS).replaceAll("PATH", () => bare(random.pick(PATHS))) : "";
  const text = (random.chance(8) ? random.pick(ASSIGNMENTS) : "") + words.join(random.chance(4) ? "\t" : " ");
  return redirect !== "" && random.chance(10) ? `${redirect.trim()} ${text}` : text + redirect;
}

function bare(path: string): string {
  return path.includes(" ") ? `'${path}'` : path;
}

/** The same word, written otherwise. */
function quote(random: Random, word: string): string {
  const at = random.below(word.length);
  const [before, char, after] = [word.slice(0, at), word[at] ?? "", word.slice(at + 1)];
  if (/[ ;$*]/.test(word)) return random.pick([`"${word}"`, `'${word}'`]);
  return random.pick([
    `'${word}'`,
    `"${word}"`,
    `${before}'${char}'${after}`,
    `${before}"${char}"${after}`,
    `${before}\\${char}${after}`,
    `${before}''${char}${after}`,
    `$'${word}'`,
    `${before}$'\\x${char.codePointAt(0)?.toString(16).padStart(2, "0") ?? ""}'${after}`,
    `${before}$X${char}${after}`,
    `${before}[${char}]${after}`,
    `${before}?${after}`,
    `${before}{${char},}${after}`,
    `$"${word}"`,
    `${before}\${E}${char}${after}`,
    `\\${word}`,
    `${before}$(echo ${char})${after}`,
  ]);
}

function quoteWhole(random: Random, text: string): string {
  if (!text.includes("'") && random.chance(70)) return `'${text}'`;
  if (random.chance(80)) return `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`;
  return text.replaceAll(/[^\w./-]/g, String.raw`\$&`).replaceAll("\\\n", "' '");
}

function fill(frame: string, inner: string): string {
  return frame.replace("%", () => inner);
}
