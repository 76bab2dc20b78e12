/** The environment of a hook: what its layer may see of Snaphook's own, without what turns one program into another. */
import { isSecretName } from "../lib/secret-name.ts";
import type { Hook } from "../model/hook.ts";
import type { Layer } from "../model/layer.ts";

type Env = { readonly [name: string]: string };

/** Variables that make programs load or run something else. No hook inherits them. */
// prettier-ignore
const REDIRECTING: readonly RegExp[] = [
  /^LD_/, /^DYLD_/, /^GLIBC_TUNABLES$/, /^GCONV_PATH$/,
  /^NODE_OPTIONS$/, /^NODE_REPL_EXTERNAL_MODULE$/,
  /^BASH_ENV$/, /^ENV$/, /^BASH_FUNC_/, /^SHELLOPTS$/, /^BASHOPTS$/, /^PS4$/,
  /^PYTHONSTARTUP$/, /^PYTHONINSPECT$/, /^PERL5OPT$/, /^PERL5DB$/, /^RUBYOPT$/,
  /^JAVA_TOOL_OPTIONS$/, /^_JAVA_OPTIONS$/, /^JDK_JAVA_OPTIONS$/,
];

/** Variables that every program may see: who, where, in which language. */
// prettier-ignore
const HARMLESS: readonly RegExp[] = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|SHLVL|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|COLUMNS|LINES|TZ|LANG|LANGUAGE|HOSTNAME|DISPLAY|CI)$/,
  /^LC_/, /^XDG_/, /^(TMPDIR|TMP|TEMP)$/, /^(USERPROFILE|SystemRoot|SYSTEMROOT|ComSpec|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|ProgramFiles|windir|WINDIR)$/,
  /^SNAPHOOK_(LAUNCHER|DEBUG|HOOK)/,
];

/** What the hooks of a layer inherit: their owner's whole environment, or what every program may see. */
const INHERITS: { readonly [layer in Layer]: "all" | "harmless" } = {
  managed: "all",
  user: "all",
  run: "all",
  project: "harmless",
  local: "harmless",
  plugin: "harmless",
};

/** Whether a variable makes programs load or run something else. */
export function redirectsPrograms(name: string): boolean {
  return REDIRECTING.some((pattern) => pattern.test(name));
}

/** What a hook inherits; `passEnv` opens single variables, a `*` at the end stands for any ending. */
export function inheritedEnv({ layer, passEnv }: Pick<Hook, "layer" | "passEnv">, env: Env): Env {
  const passed = (name: string): boolean => passEnv.some((pass) => (pass.endsWith("*") ? name.startsWith(pass.slice(0, -1)) : name === pass));
  const harmless = (name: string): boolean => HARMLESS.some((pattern) => pattern.test(name)) && !isSecretName(name);
  const kept = Object.entries(env).filter(([name]) => !redirectsPrograms(name) && (INHERITS[layer] === "all" || harmless(name) || passed(name)));
  return Object.fromEntries(kept);
}
