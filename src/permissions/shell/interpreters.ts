/** How a program takes code: as the value of an option, from a file, or from standard input. */
export interface InterpreterRow {
  /** Shell text can be read on; other languages can't. */
  readonly language: "shell" | "other";
  /** Options whose value is code; a single letter also at the end of a cluster. */
  readonly code: string;
  /** Options that take the next word. */
  readonly values?: string;
  /** Options with which no code runs. */
  readonly inert?: string;
  /** Its operands are no files: the code comes on standard input. */
  readonly fromStdin?: true;
  /** Files given to it are shell scripts. */
  readonly filesAreCode?: true;
}

const SHELL: InterpreterRow = { language: "shell", code: "-c", values: "-o -O +o +O --rcfile --init-file", inert: "--version --help", filesAreCode: true };
const OTHER_SHELL: InterpreterRow = {
  language: "other",
  code: "-c --command -C --init-command -Command -EncodedCommand -e -ec -File",
  inert: "--version --help",
  filesAreCode: true,
};

/** Database clients: their code is SQL, but some of it starts programs. */
const CLIENT: InterpreterRow = { language: "other", code: "", fromStdin: true, inert: "--version --help" };

/** Programs that run code given in their arguments or on standard input. */
// prettier-ignore
export const INTERPRETERS: ReadonlyMap<string, InterpreterRow> = new Map(Object.entries({
  sh: SHELL, bash: SHELL, zsh: SHELL, dash: SHELL, ash: SHELL, ksh: SHELL, ksh93: SHELL, mksh: SHELL, rbash: SHELL, rzsh: SHELL, posh: SHELL, yash: SHELL, "git-shell": SHELL, hush: SHELL,
  fish: OTHER_SHELL, csh: OTHER_SHELL, tcsh: OTHER_SHELL, pwsh: OTHER_SHELL, powershell: OTHER_SHELL, "powershell.exe": OTHER_SHELL, nu: OTHER_SHELL, xonsh: OTHER_SHELL, elvish: OTHER_SHELL, rc: OTHER_SHELL, es: OTHER_SHELL, cmd: OTHER_SHELL, "cmd.exe": OTHER_SHELL,
  at: { language: "other", code: "-f", inert: "-l -d -r -c", fromStdin: true }, batch: { language: "other", code: "-f", fromStdin: true }, crontab: { language: "other", code: "", inert: "-l -r" },
  python: { language: "other", code: "-c", values: "-m -W -X", inert: "--version -V --help" }, python2: { language: "other", code: "-c", values: "-m -W -X", inert: "--version -V" }, python3: { language: "other", code: "-c", values: "-m -W -X", inert: "--version -V --help" }, pypy: { language: "other", code: "-c" }, pypy3: { language: "other", code: "-c" }, ipython: { language: "other", code: "-c" },
  node: { language: "other", code: "-e --eval -p --print -pe", values: "-r --require --import --loader", inert: "--version -v --help -h" }, nodejs: { language: "other", code: "-e --eval -p --print -pe" }, bun: { language: "other", code: "-e --eval -p --print", inert: "--version -v" }, deno: { language: "other", code: "eval", inert: "--version -V" }, tsx: { language: "other", code: "-e --eval -p --print", inert: "--version" }, "ts-node": { language: "other", code: "-e --eval -p --print", inert: "--version" }, qjs: { language: "other", code: "-e" },
  perl: { language: "other", code: "-e -E", values: "-I -M", inert: "-v --version" }, ruby: { language: "other", code: "-e", values: "-I -r", inert: "-v --version" }, php: { language: "other", code: "-r -B -R -E", values: "-d -c", inert: "-v --version" }, lua: { language: "other", code: "-e", values: "-l" }, luajit: { language: "other", code: "-e", values: "-l" },
  R: { language: "other", code: "-e" }, Rscript: { language: "other", code: "-e" }, julia: { language: "other", code: "-e -E --eval --print" }, osascript: { language: "other", code: "-e" }, tclsh: { language: "other", code: "" }, wish: { language: "other", code: "" }, elixir: { language: "other", code: "-e --eval" }, erl: { language: "other", code: "-eval" }, ghc: { language: "other", code: "-e" }, runghc: { language: "other", code: "-e" }, groovy: { language: "other", code: "-e" }, scala: { language: "other", code: "-e" }, jshell: { language: "other", code: "" }, swift: { language: "other", code: "-e" }, guile: { language: "other", code: "-c" }, clisp: { language: "other", code: "-x" }, sbcl: { language: "other", code: "--eval" }, racket: { language: "other", code: "-e" }, ocaml: { language: "other", code: "-e" }, gjs: { language: "other", code: "-c" }, dc: { language: "other", code: "-e --expression" },
  expect: { language: "other", code: "-c" }, m4: { language: "other", code: "" }, gnuplot: { language: "other", code: "-e" }, octave: { language: "other", code: "--eval" }, gs: { language: "other", code: "-c" }, ftp: CLIENT, psql: CLIENT, mysql: CLIENT, mariadb: CLIENT, sqlite3: CLIENT, capsh: { ...SHELL, inert: "--print --version --help" },
} satisfies Record<string, InterpreterRow>));
