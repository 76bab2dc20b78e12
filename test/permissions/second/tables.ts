/** A program that starts the command behind its own options. */
export interface Starter {
  /** Options that take the next word. */
  readonly takes: string;
  /** Words of its own before the command. */
  readonly before?: number;
  /** What stands behind is text for a shell, not words. */
  readonly joins?: boolean;
  /** Options whose next word is text for a shell. */
  readonly script?: string;
  /** Without a command it starts a shell that reads its input. */
  readonly shell?: boolean;
  /** With these options it starts nothing. */
  readonly only?: string;
  /** The allow side may look through it. */
  readonly clear?: boolean;
  /** `NAME=value` words before the command are its own. */
  readonly assigns?: boolean;
}

// prettier-ignore
/** One row a wrapper. */
export const STARTERS: Readonly<Record<string, Starter>> = {
  sudo:    { takes: "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --close-from --role --type", assigns: true, only: "-l -v -k -K" },
  doas:    { takes: "-u -C", assigns: true },
  env:     { takes: "-u -C --unset --chdir", assigns: true, script: "-S --split-string" },
  timeout: { takes: "-s -k --signal --kill-after", before: 1, clear: true },
  nice:    { takes: "-n --adjustment", clear: true },
  ionice:  { takes: "-c -n --class --classdata" },
  nohup:   { takes: "", clear: true },
  setsid:  { takes: "" },
  stdbuf:  { takes: "-i -o -e --input --output --error", clear: true },
  time:    { takes: "-f -o --format --output", clear: true },
  command: { takes: "", only: "-v -V" },
  builtin: { takes: "" },
  exec:    { takes: "-a" },
  coproc:  { takes: "" },
  chroot:  { takes: "", before: 1, shell: true },
  unshare: { takes: "-w --wd -S -G", shell: true },
  xargs:   { takes: "-I -n -P -L -d -E -s -a -i --replace --max-args --max-procs --max-lines --delimiter --eof --max-chars --arg-file", clear: true },
  flock:   { takes: "-w -E --timeout --conflict-exit-code", before: 1, script: "-c --command" },
  strace:  { takes: "-e -o -s -p -u -E -a -O -S -b -I -P -X" },
  ltrace:  { takes: "-e -o -s -p -u -n" },
  watch:   { takes: "-n --interval -q", joins: true },
  ssh:     { takes: "-p -i -l -o -F -L -R -D -J -b -c -e -m -w -W -E -S -B -I -O -Q", before: 1, joins: true },
  busybox: { takes: "" },
  toybox:  { takes: "" },
  taskset: { takes: "", before: 1 },
  chrt:    { takes: "", before: 1 },
  setarch: { takes: "", before: 1 },
  runuser: { takes: "-u -g -G", script: "-c --command" },
  su:      { takes: "-s -g -G", script: "-c --command", before: 1, shell: true },
  script:  { takes: "", script: "-c --command", before: 1, shell: true },
  eval:    { takes: "", joins: true },
  pkexec:  { takes: "--user" },
  prlimit: { takes: "-p" },
  setpriv: { takes: "" },
  nsenter: { takes: "-t --target -S -G -w", shell: true },
  gosu:    { takes: "", before: 1 },
  fakeroot: { takes: "-l -s -i -b" },
  valgrind: { takes: "" },
  unbuffer: { takes: "" },
  "cross-env": { takes: "", assigns: true },
};

/** Shells: `-c` is text, a word is a file of commands, nothing is their input. */
export const SHELLS = ["sh", "bash", "zsh", "dash", "ksh", "rbash", "ash", "mksh"];

/** Interpreters of other languages, with the options whose next word is code. */
export const INTERPRETERS: Readonly<Record<string, string>> = {
  python: "-c",
  python3: "-c",
  perl: "-e -E",
  ruby: "-e",
  node: "-e --eval -p",
  php: "-r",
  fish: "-c",
  pwsh: "-c",
};

/** The options of find that start a command. */
export const FIND_STARTS = ["-exec", "-execdir", "-ok", "-okdir"];

/** Git's own options that take the next word, before the subcommand. */
export const GIT_TAKES = ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];

/** Long spellings of short flags, as far as deny rules are written with them. */
export const LONG_FLAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rm: { "--recursive": "r", "--force": "f", "-R": "r" },
  git: { "--force": "f" },
};

/** What a program does with its operands: every one, the last one, or all but the first. */
// prettier-ignore
export const FILES: Readonly<Record<string, { readonly read?: "all" | "but-last" | "but-first"; readonly write?: "all" | "last" }>> = {
  cat:   { read: "all" },      head: { read: "all" },      tail: { read: "all" },     wc:    { read: "all" },
  less:  { read: "all" },      more: { read: "all" },      nl:   { read: "all" },     tac:   { read: "all" },
  grep:  { read: "but-first" }, rg:  { read: "but-first" }, sort: { read: "all" },     diff:  { read: "all" },
  tee:   { write: "all" },     touch: { write: "all" },    cp:   { read: "but-last", write: "last" },
  mv:    { read: "but-last", write: "last" },              base64: { read: "all" },   xxd:   { read: "all" },
};

/** Options with an argument of the programs above, so that it is not taken for a file. */
export const FILE_TAKES: Readonly<Record<string, string>> = {
  head: "-n -c",
  tail: "-n -c",
  grep: "-e -A -B -C -m",
  rg: "-e -A -B -C -m",
  sort: "-k -t",
  touch: "-d -t -r",
  base64: "-w",
};

/** Variables that may stand before an allowed command. */
export const SAFE_NAMES = /^(?:NODE_ENV|CI|FORCE_COLOR|NO_COLOR|TZ|LANG|LC_\w+|DEBUG|TERM|COLUMNS|LINES)$/;

/** Variables that change what runs even when set on their own. */
export const POWER_NAMES =
  /^(?:PATH|IFS|ENV|PS4|CDPATH|HOME|SHELL|EDITOR|VISUAL|PAGER|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|(?:LD|DYLD|BASH|GIT|NODE|NPM|PYTHON|PERL|RUBY|LESS)\w*)$/i;

/** Builtins that change what later words mean: an allow never covers them by a star. */
export const CHANGERS = [
  "alias",
  "unalias",
  "hash",
  "enable",
  "shopt",
  "set",
  "declare",
  "typeset",
  "export",
  "readonly",
  "local",
  "read",
  "mapfile",
  "readarray",
  "printf",
  "getopts",
  "let",
  "test",
  "[",
  "trap",
  "source",
  ".",
  "bind",
  "complete",
  "fc",
  "history",
];
