import { foldPath, type ResolvedPath } from "./paths.ts";
import type { Scene } from "./scene.ts";

/** Files that configure hooks, rules, trust or what runs by itself; a write to one asks in every mode. */
// prettier-ignore
export const PROTECTED: readonly { readonly files: RegExp; readonly what: string }[] = [
  { files: /\/\.claude\/(settings[^/]*\.json|hooks(\/|$)|agents(\/|$)|commands(\/|$)|plugins(\/|$)|skills(\/|$))/, what: "Claude Code's settings and hooks" },
  { files: /\/\.claude(\.json|\.json\.[^/]*|\/?$)/,           what: "Claude Code's configuration" },
  { files: /\/\.lime(\/|$)/,                                  what: "Lime's configuration" },
  { files: /\/\.robota(\/|$)/,                                what: "Robota's configuration" },
  { files: /\/\.mains(\/|$)/,                                 what: "Mains' configuration" },
  { files: /\/\.config\/goose(\/|$)|\/\.goosehints$|\/\.goose(\/|$)/, what: "Goose's configuration" },
  { files: /\/\.snaphook(\/|$)|\/\.config\/snaphook(\/|$)|\/snaphook\.lock$/, what: "Snaphook's configuration" },
  { files: /\/(etc|library\/application support)\/(snaphook|claude-code|claudecode|lime|robota|goose)(\/|$)/i, what: "managed policy" },
  { files: /\/\.mcp\.json$/,                                  what: "MCP servers" },
  { files: /\/hooks\/hooks\.json$|\/\.claude-plugin(\/|$)/,   what: "a plugin's hooks" },
  { files: /\/\.git\/(hooks(\/|$)|config(\.worktree)?$|info\/attributes$|modules\/.*\/(hooks|config))/, what: "git hooks and configuration" },
  { files: /\/\.git(config|modules|attributes)$|\/\.config\/git\/(config|attributes)$|\/\.git\/?$|\/\.husky(\/|$)|\/\.githooks(\/|$)/, what: "git hooks and configuration" },
  { files: /\/\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc|tcshrc|login|inputrc|envrc|xprofile|xinitrc|xsessionrc)$/, what: "a shell profile" },
  { files: /\/\.config\/fish(\/|$)|\/etc\/(profile|bash\.bashrc|zsh|environment|bashrc)/, what: "a shell profile" },
  { files: /\/\.ssh(\/|$)/,                                   what: "SSH keys and configuration" },
  { files: /\/\.(vscode|idea|cursor|gemini|codex|qwen|zed|windsurf)(\/|$)|\/\.vscode-server(\/|$)/, what: "an editor's or agent's settings" },
  { files: /\/\.(npmrc|yarnrc|yarnrc\.yml|pypirc|netrc|curlrc|wgetrc|gemrc|condarc)$|\/\.config\/pip(\/|$)|\/\.pip(\/|$)|\/\.cargo\/config(\.toml)?$|\/\.docker\/config\.json$/, what: "a package manager's or client's configuration" },
  { files: /\/\.pre-commit-config\.yaml$|\/lefthook\.ya?ml$|\/\.lintstagedrc/, what: "commit hooks" },
  { files: /\/\.config\/(systemd|autostart)(\/|$)|\/etc\/(cron|systemd|init)|\/var\/spool\/cron(\/|$)|\/library\/launch(agents|daemons)(\/|$)/i, what: "what starts by itself" },
];

/** What a path would configure, if it is a protected one; links and case of the disk are looked through. */
export function protectedBy(path: ResolvedPath, scene: Scene): string | undefined {
  for (const form of path.forms) {
    const folded = foldPath(form, scene.platform);
    if (!mayBeProtected(folded)) continue;
    for (const row of PROTECTED) if (row.files.test(folded)) return row.what;
  }
  return undefined;
}

/** Quick test: every protected path has a name that begins as `.x`, `hooks`, `etc`, `var`, `Library` or `lefthook` do. */
function mayBeProtected(path: string): boolean {
  return BEGINNING.test(path) || path.endsWith("snaphook.lock");
}

const BEGINNING = /\/[.hevl]/i;
