/** What the words of a command tell about the files behind it: one row a program. */

/** Programs that read a script named after them. */
export const INTERPRETERS: ReadonlySet<string> = new Set(
  `sh bash dash zsh ksh mksh ash busybox fish python python2 python3 pypy pypy3 node nodejs bun deno tsx ts-node ruby perl php lua tclsh
   Rscript awk gawk mawk sed jq osascript pwsh powershell java elixir julia uv pipx`.split(/\s+/),
);

/** Interpreters whose code argument is shell text. */
export const SHELLS: ReadonlySet<string> = new Set("sh bash dash zsh ksh mksh ash fish".split(" "));

/** Programs that start the program named after them; up to so many words behind one may be it. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  "env exec command builtin nohup time nice ionice timeout gtimeout sudo doas xargs stdbuf setsid chronic unbuffer npx bunx pnpx eval trap busybox".split(" "),
);

/** Words of the shell behind which a command begins. */
export const KEYWORDS: ReadonlySet<string> = new Set("if then else elif do while until ! { ( time coproc".split(" "));

/** Words that the shell answers itself: no program of that name is started. */
export const BUILTINS: ReadonlySet<string> = new Set(
  `: . [ [[ alias bg break case cd continue declare done echo esac eval exec exit export false fg fi for function getopts hash in jobs kill local
   printf pwd read readonly return set shift source test times trap true type ulimit umask unalias unset wait }`.split(/\s+/),
);

/** Programs whose operands are what they write: their content is no part of the hook. */
export const WRITERS: ReadonlySet<string> = new Set("tee touch mkdir rm rmdir mktemp chmod logger".split(" "));

/** Files that a program reads although no word names them. */
export const IMPLIED_FILES: { readonly [program: string]: readonly string[] } = {
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", ".justfile", "Justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml"],
  rake: ["Rakefile"],
  deno: ["deno.json", "deno.jsonc"],
  composer: ["composer.json"],
  poetry: ["pyproject.toml"],
  tox: ["tox.ini"],
  "pre-commit": [".pre-commit-config.yaml"],
  lefthook: ["lefthook.yml"],
};

/** Folders of the system: what stands there is known by its path, since every upgrade changes its bytes. */
export const SYSTEM_FOLDERS: readonly string[] = "/bin /sbin /usr /lib /lib64 /opt /nix/store /snap /System /Library /run/current-system".split(" ");

/** Variables that decide which program, library, server or configuration other programs use. */
export const REDIRECTING: readonly RegExp[] = [
  /^(PATH|PATHEXT|COMSPEC|SHELL|HOME|USERPROFILE|TMPDIR|TMP|TEMP|IFS|ENV|PS4|CDPATH|EDITOR|VISUAL|PAGER|BROWSER|MANPAGER|LESSOPEN|LESSCLOSE)$/i,
  /^(LD_|DYLD_|GCONV_|BASH_|BASHOPTS$|SHELLOPTS$|ZDOTDIR$|PROMPT_COMMAND$|XDG_|SNAPHOOK_)/i,
  /^(NODE_|NPM_CONFIG_|BUN_|DENO_|PYTHON|PIP_|UV_|PERL|RUBY|GEM_|BUNDLE_|PHP|LUA_|JAVA_|_JAVA_|JDK_|CLASSPATH$|MAVEN_|GRADLE_|CARGO_|RUST|GO(PATH|ROOT|FLAGS|PROXY|ENV)$)/i,
  /^(GIT_|SSH_|SUDO_|GPG_|DOCKER_|KUBECONFIG$|AWS_|GOOGLE_|AZURE_|CLOUDSDK_|OTEL_EXPORTER_)/i,
  /(^|_)(BASE_URL|API_URL|API_BASE|ENDPOINT|ENDPOINT_URL|PROXY)$/i,
  /^(SSL_CERT_|CURL_|WGETRC$|REQUESTS_CA_BUNDLE$|HOSTALIASES$|RES_OPTIONS$|LOCALDOMAIN$)/i,
];

/** Whether a variable may send programs somewhere else. */
export function redirects(name: string): boolean {
  return REDIRECTING.some((pattern) => pattern.test(name));
}
