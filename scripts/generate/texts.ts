/** Words for people that the tables do not need themselves. A row that is missing here is a type error. */
import type { FieldName } from "../../src/config/fields.ts";
import type { MatcherRule, Shape } from "../../src/dialects/dialect.ts";
import type { EventName } from "../../src/model/events.ts";

/** When each event fires. */
export const EVENT_TEXTS: { readonly [name in EventName]: string } = {
  "session.start": "A session starts, resumes, or goes on after a clear or a compaction.",
  "session.end": "A session ends.",
  "prompt.submit": "The user submitted a prompt; the agent has not seen it yet.",
  "tool.before": "A tool is about to be called.",
  "tool.after": "A tool call succeeded.",
  "tool.failed": "A tool call returned an error.",
  "permission.request": "A tool call must be asked; hooks may answer in place of the user.",
  "permission.denied": "A tool call was denied by rule, mode or approver, or for want of one.",
  "compact.before": "The conversation is about to be compacted.",
  "compact.after": "The conversation was compacted.",
  "turn.cancel": "The user cancelled a turn (Esc, Ctrl-C).",
  "turn.stop": "The agent is about to stop; a denial sends it on.",
  notification: "A notification surfaces to the user.",
  "subagent.start": "A subagent starts.",
  "subagent.stop": "A subagent is about to stop.",
  setup: "The project is set up, for the first time or for maintenance.",
  "teammate.idle": "A teammate agent goes idle.",
  "task.completed": "A task was marked complete.",
  "config.change": "A configuration file changed while the session runs.",
};

/** What each field of an entry is for. */
export const FIELD_TEXTS: { readonly [name in FieldName]: string } = {
  type: "What kind of hook it is. Without it: module where there is a module, http where there is a url, callback where there is a callback, prompt where there is a prompt, else command.",
  command: "The command to run.",
  args: "Arguments: the command is then started without a shell.",
  url: "The address that the event is posted to as JSON. Redirects are not followed.",
  headers: "Request headers. $NAME and ${NAME} are filled in from the environment, for the variables in allowedEnvVars.",
  allowedEnvVars: "The environment variables that headers may name.",
  secret: "Signs the request as Standard Webhooks says. May name a variable, as headers do.",
  callback: "The name of an export of the callbacks module: --callbacks, else callbacks.mjs beside this file.",
  module:
    "A JavaScript or TypeScript file whose default export is called with each event, in a process of its own that stays. The path is relative to this file.",
  prompt: 'What a model is asked about the event; it answers {"ok": true} or {"ok": false, "reason"}.',
  model: "The model to ask. Default: the session's.",
  matcher: "Which tools (or sources, triggers, kinds) the hook is for.",
  tool_name: "Which tools the hook is for; tool events only.",
  if: "A permission pattern that the call must meet, as Bash(git push *). Tool events only.",
  timeout: "Seconds after which the hook is killed.",
  duration: "How long the hook may take, as 10s, 500ms or 2m. Then it is killed.",
  onFault: "What happens when the hook itself fails: allow goes on as if it were not there, ask asks, deny denies. Or an object of these by kind of failure.",
  once: "Run it once a session.",
  async: "Do not wait for it; what it says has no effect.",
  enabled: "false switches the hook off.",
  name: "A name for lists and messages. Default: the command.",
  env: "Environment variables for the hook.",
  passEnv:
    "Variables of the surrounding environment that the hook gets besides those every program may see; a `*` at the end stands for any ending. Hooks that come with a project see few.",
  sandbox:
    "What holds the program, by bubblewrap: readonly lets it write nothing but a /tmp of its own; strict also hides the network, the home folder and other processes. Where it is not available the hook fails. Settings above it may ask for more.",
  worker: "Keep the command running between events: one line of JSON in for each event, one line out. docs/guides/warm-hooks.md has the protocol.",
  idle: "How long a worker or module may be idle before it is ended, as 30s or 10m. The next event starts it again. Default: 10m.",
  statusMessage: "Shown by the agent while the hook runs; not used here.",
};

/** What `eventTimeout` at the root of our own settings is for. */
export const EVENT_TIMEOUT_TEXT =
  "How long all hooks of one event may take together, as 30s. Then those that run are killed, those that wait are not started, and each counts as failed (eventTimeout).";

/** How the text of a matcher is read. */
export const MATCHER_TEXTS: { readonly [rule in MatcherRule]: string } = {
  none: "no matcher: every hook of an event runs",
  regex: "a regular expression, searched for anywhere in the name; absent, empty or * is all",
  "list-or-regex":
    "exact names separated by | or a comma where it holds letters, digits, _, -, |, commas and blanks only; else a regular expression, searched for anywhere in the name; absent, empty or * is all",
  "names-or-regex":
    "exact names separated by | or a comma where it holds letters, digits, _, -, ., |, commas and blanks only; else a regular expression, searched for anywhere in the name; absent, empty or * is all",
};

/** How the entries of a dialect look. */
export const SHAPE_TEXTS: { readonly [shape in Shape]: string } = {
  strings: "a list of commands, each in a string",
  "named-groups": "groups {matcher, hooks: [callback names], timeout}",
  "typed-groups": "groups {matcher, hooks: [{type, …}]}",
  flat: "entries {command, timeout, tool_name}",
  native: "entries with every option",
};
