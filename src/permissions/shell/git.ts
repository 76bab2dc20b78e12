/** What git's subcommands may run or write, and which global options they share. */
export interface GitRow {
  readonly runs?: string;
  readonly writes?: string;
  readonly values?: string;
  readonly always?: true;
  /** Unknown words are taken for such options. */
  readonly strict?: true;
}

/** Global options of git that take the next word. */
export const GIT_VALUES = "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source";

/** Global options that change which code git runs. */
export const GIT_RUNS = "--exec-path --git-dir --work-tree --config-env -p --paginate";

/** `-c` keys that only change how things look or who the author is. */
export const GIT_SAFE_KEYS =
  /^(color\.\w+|user\.(name|email)|core\.(quotepath|autocrlf|abbrev)|advice\.\w+|init\.defaultbranch|log\.\w+|diff\.(algorithm|renames|noprefix|mnemonicprefix)|status\.\w+|push\.default|pull\.(rebase|ff)|commit\.gpgsign|core\.pager=(cat|)$|gc\.auto|safe\.\w+)(=|$)/i;

const TRANSPORT: GitRow = {
  strict: true,
  runs: "--upload-pack --receive-pack --exec -u -c --config --template --server-option",
  values: "-b -o --branch --depth -j",
};

/** Subcommands with options that run or write; a subcommand that is not here is as safe as git itself. */
// prettier-ignore
export const GIT_SUBCOMMANDS: ReadonlyMap<string, GitRow> = new Map(Object.entries({
  fetch: { strict: true, runs: "--upload-pack" }, pull: { strict: true, runs: "--upload-pack" }, push: { strict: true, runs: "--receive-pack --exec" }, clone: TRANSPORT, "ls-remote": { strict: true, runs: "--upload-pack --exec" }, "fetch-pack": { runs: "--upload-pack --exec" }, "send-pack": { runs: "--receive-pack --exec" }, archive: { runs: "--exec --remote", writes: "-o --output" },
  init: { runs: "--template" }, grep: { runs: "-O --open-files-in-pager", values: "-e -f -A -B -C -m" }, bisect: { always: true }, submodule: { always: true }, config: { always: true }, rebase: { runs: "-x --exec -i --interactive", values: "-s -X -C" }, difftool: { always: true }, mergetool: { always: true }, diff: { runs: "--ext-diff --textconv", writes: "--output" }, log: { runs: "--ext-diff --textconv", writes: "--output" }, show: { runs: "--ext-diff --textconv", writes: "--output" }, "format-patch": { writes: "--output" }, blame: { runs: "--contents" },
  "filter-branch": { always: true }, "send-email": { always: true }, instaweb: { always: true }, daemon: { always: true }, "web--browse": { always: true }, hook: { always: true }, credential: { always: true }, "remote-ext": { always: true }, "upload-pack": { always: true }, "receive-pack": { always: true }, shell: { always: true }, "fast-import": { always: true }, "cat-file": { runs: "--textconv --filters" }, "replay": {}, maintenance: { always: true }, "for-each-repo": { always: true }, "sh-i18n": { always: true }, help: { runs: "-w --web -i --info -m --man" }, "interpret-trailers": {}, merge: { runs: "-s --strategy" }, lfs: {}, annex: { always: true }, p4: { always: true }, svn: { always: true }, worktree: {}, remote: {}, "update-server-info": {}, gui: { always: true }, citool: { always: true }, gitk: { always: true },
} satisfies Record<string, GitRow>));

/** Words of always-asking subcommands that only read. */
// prettier-ignore
export const GIT_READS: ReadonlyMap<string, RegExp> = new Map([
  ["config",    /^(--get|--get-all|--get-regexp|--get-urlmatch|--list|-l|get|list)$/],
  ["submodule", /^(status|summary)$/],
  ["bisect",    /^(log|view|visualize)$/],
]);
