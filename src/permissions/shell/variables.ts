import type { DoubtKind } from "./doubts.ts";

/** Variables that change how programs look or report, not what they run. */
export const SAFE_VARIABLES: ReadonlySet<string> = new Set(
  (
    "NODE_ENV CI FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TERM TZ LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME CHARSET COLUMNS LINES " +
    "LS_COLORS LSCOLORS GREP_COLOR GREP_COLORS GCC_COLORS TIME_STYLE BLOCK_SIZE BLOCKSIZE RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTEST_DEBUG " +
    "GOOS GOARCH CGO_ENABLED GO111MODULE GOEXPERIMENT NODE_NO_WARNINGS NPM_CONFIG_LOGLEVEL npm_config_loglevel NEXT_TELEMETRY_DISABLED TURBO_TELEMETRY_DISABLED DO_NOT_TRACK DEBUG LOG_LEVEL VERBOSE PORT RAILS_ENV RACK_ENV APP_ENV FLASK_ENV MIX_ENV DEBIAN_FRONTEND GIT_TERMINAL_PROMPT SOURCE_DATE_EPOCH"
  ).split(" "),
);

/** Variables whose value bash, or a program it loads, takes for code or a file of code, and settings by which patterns find more. */
const STEERING =
  /(?<![A-Za-z0-9_])(?:PS4|BASH_ENV|SHELLOPTS|BASHOPTS|BASH_ALIASES|BASH_CMDS|BASH_FUNC_|PROMPT_COMMAND|GIT_CONFIG_(?:COUNT|PARAMETERS|KEY_|VALUE_)|PERL5OPT|PERL5DB|RUBYOPT|PYTHONSTARTUP|dotglob|globstar|nullglob|nocaseglob|GLOBIGNORE)/;

/** Whether a text names such a variable: there are more ways to set one than to name it. */
export function namesSteering(text: string): boolean {
  return STEERING.test(text);
}

/** Variables that programs take for a command line. */
export const COMMAND_VARIABLES: ReadonlySet<string> = new Set(
  (
    "PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR SUDO_EDITOR FCEDIT BROWSER MANOPT LESSOPEN LESSCLOSE " +
    "GIT_SSH_COMMAND GIT_SSH GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND RSYNC_RSH CVS_RSH SVN_SSH FZF_DEFAULT_COMMAND LESSEDIT CC CXX LD AR"
  ).split(" "),
);

/** Variables that make programs load code or take options nobody wrote, and the values with which they do not. */
// prettier-ignore
const LOADING: ReadonlyMap<string, RegExp | undefined> = new Map([
  ["NODE_OPTIONS", /^(?:--(?:max-[\w-]+=\d+|no-warnings|no-deprecation|enable-source-maps|trace-[\w-]+|experimental-[a-z-]+)\s*)*$/], ["MAKEFLAGS", /^-{0,2}j? ?\d*$/], ["LESS", /^-?[A-JL-NQ-SW-Xeimnqsw]*$/],
  ...["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "GCONV_PATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "BUN_OPTIONS", "GNUMAKEFLAGS", "TAR_OPTIONS", "ENV", "ZDOTDIR", "GIT_DIR", "GIT_CONFIG", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR"].map((name): [string, undefined] => [name, undefined]),
]);

/** Whether a value of this variable may make programs run something else. */
export function loadsCode(name: string, value: string | undefined): boolean {
  if (!LOADING.has(name)) return false;
  const harmless = LOADING.get(name);
  return value === undefined || harmless?.test(value) !== true;
}

/** Builtins after which names no longer mean what they say, and files that are read as code. */
export const STATE_BUILTINS: ReadonlyMap<string, DoubtKind> = new Map<string, DoubtKind>([
  ["source", "sourced-file"],
  [".", "sourced-file"],
  ["alias", "definition"],
  ["hash", "builtin-state"],
  ["enable", "builtin-state"],
  ["shopt", "builtin-state"],
  ["bind", "builtin-state"],
  ["complete", "builtin-state"],
]);
