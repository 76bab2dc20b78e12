/** The tour: a session on a scripted model, with the hooks of five dialects, told as a timeline [K4]. */
import { join } from "node:path";
import { stateFolder, surroundings } from "../config/locate.ts";
import { SnaphookError } from "../model/errors.ts";
import { createSession } from "../session/create.ts";
import type { Session } from "../session/session.ts";
import { approve } from "../trust/approve.ts";
import type { Command, Surface, Words } from "./command.ts";
import { painter } from "./render/colour.ts";
import { counted, wrap } from "./render/text.ts";
import { jsonWatch } from "./repl/json-watch.ts";
import { watchSession } from "./repl/watch.ts";
import { sessionOptions } from "./run.ts";
import { packageRoot } from "./tour/package-root.ts";
import { copyExample, type Workspace } from "./tour/workspace.ts";
import { survey } from "./trust/survey.ts";

const PROMPT = "Throw the drafts away, then publish the page.";

/** `snaphook tour`. */
export const tourCommand: Command = {
  summary: "a scripted session through the dialects, told as a timeline",
  usage: "tour [--json]",
  options: {},
  notes: [
    "Runs the scripted model of examples/tour with the hooks of five dialects: a denial, a rewrite and an approval.",
    "It needs no key and no network, works in a copy that it removes again, and ends by itself.",
  ],
  run: async ({ positionals, flags }, surface) => {
    if (positionals.length > 0) throw new SnaphookError("SNAP_USAGE", { message: "tour takes no words. `snaphook tour --help` lists the options." });
    const workspace = await copyExample(join(packageRoot(import.meta.url), "examples", "tour"), surface.env["TMPDIR"]);
    try {
      return await walk(workspace, inside(workspace, surface), { json: flags["json"] ?? false });
    } finally {
      await workspace.remove();
    }
  },
};

/** Variables of the user that hooks and tools need; nothing else of theirs counts here. */
const INHERITED = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "SystemRoot", "PATHEXT", "ComSpec"];

function inside({ project, home, temp }: Workspace, surface: Surface): Surface {
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, surface.env[name]]));
  return { ...surface, cwd: project, env: { ...inherited, HOME: home, USERPROFILE: home, TMPDIR: temp } };
}

/** What would stand on the command line of `snaphook run`. */
const WORDS: Words = { positionals: [], flags: {}, values: { model: ["script:model.yaml"], approvals: ["answers.json"] }, sequence: [] };

/** `snaphook trust`: the hooks of the example come with a folder, as any others. */
async function trustExample({ project }: Workspace, surface: Surface): Promise<string> {
  const shelf = { configDir: surroundings({ cwd: project, env: surface.env }).config, stateDir: stateFolder(surface.env) };
  const { entries } = approve(await survey(project, surface), { folder: project, shelf, now: new Date() });
  return `${counted(entries.length, "thing")} that came with this folder (hooks, rules) were approved as they are, as \`snaphook trust\` does.\n\n`;
}

async function walk(workspace: Workspace, surface: Surface, { json }: { readonly json: boolean }): Promise<number> {
  const trusted = await trustExample(workspace, surface);
  if (!json) surface.stdout(wrap(trusted, Math.min(surface.terminal.columns, 80)).join("\n"));
  let session: Session | null = null;
  const contextUse = () => session && { used: session.core.used, contextWindow: session.core.model.contextWindow };
  const watch = json ? jsonWatch(surface) : watchSession(surface, { contextUse });
  session = await createSession({ ...(await sessionOptions(WORDS, surface)), tempDir: workspace.temp, ...watch });
  surface.onInterrupt(() => session.cancel());
  surface.signal.addEventListener("abort", () => void session.cancel(), { once: true });
  watch.onPrompt(PROMPT);
  const { reason } = await session.prompt(PROMPT);
  await session.end("other");
  if (!json) surface.stdout(closing(surface));
  return reason === "stop" ? 0 : 1;
}

const NEXT = [
  ['snaphook why "git push --force"', "what would happen to a command in this folder, and why"],
  ["snaphook list", "which hooks are armed in this folder"],
  ["snaphook run", "a session of your own, with ANTHROPIC_API_KEY or OPENAI_API_KEY set"],
];

/** What to try next is for people who can. */
function closing({ terminal }: Surface): string {
  const about = "All of this came from the files in examples/tour; its README.md explains them.";
  if (!terminal.isTerminal) return `\n${about}\n`;
  const paint = painter(terminal.colour);
  const rows = NEXT.map(([command = "", what = ""]) => `  ${paint("bold", command)}\n      ${what}`);
  return `\n${about}\nTry next:\n${rows.join("\n")}\n`;
}
