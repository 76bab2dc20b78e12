/** An event → the payload that a hook of some dialect gets. Canonical JSON: parsed and written again [F5]. */
import type { Dialect, WireEvent } from "../dialects/dialect.ts";
import { spelledCall } from "../dialects/spelling.ts";
import { copyOf } from "../lib/copy.ts";
import type { JsonObject } from "../lib/json.ts";
import type { EventTool, HookEvent } from "../model/events.ts";
import type { Hook } from "../model/hook.ts";
import type { ToolCall } from "../model/tools.ts";
import type { Payload } from "./runner.ts";

/** A hook, and the dialect whose words it is shown. */
interface Reader {
  readonly hook: Hook;
  readonly dialect: Dialect;
}

/** The payload of one hook alone. */
export function payloadFor(event: HookEvent, hook: Hook, { dialect, projectDir }: { readonly dialect: Dialect; readonly projectDir: string }): Payload {
  return new Payloads(projectDir).payloadFor(event, { hook, dialect });
}

/** The payloads of an event on its way: hooks that are shown the same words share them, and nothing is written that nobody reads. */
export class Payloads {
  readonly #projectDir: string;
  /** What was written of the event as it stands now. */
  #pages: readonly Page[] = NO_PAGES;

  constructor(projectDir: string) {
    this.#projectDir = projectDir;
  }

  /** The payload of one hook. */
  payloadFor(event: HookEvent, { hook, dialect }: Reader): Payload {
    return new HookPayload(hook, this.#pageFor(event, hook.wireName, dialect));
  }

  /** A copy of what a function is shown, for it to keep. */
  inputFor(event: HookEvent, { hook, dialect }: Reader): unknown {
    const { stdin } = this.#pageFor(event, hook.wireName, dialect);
    return dialect.copy ? dialect.copy(stdin) : copyOf(stdin);
  }

  #pageFor(event: HookEvent, wireName: string, dialect: Dialect): Page {
    if (this.#pages[0]?.given !== event) this.#pages = NO_PAGES;
    for (const page of this.#pages) if (page.dialect === dialect && page.wireName === wireName) return page;
    const page = new Page(event, { dialect, wireName, projectDir: this.#projectDir });
    this.#pages = [...this.#pages, page];
    return page;
  }
}

const NO_PAGES: readonly Page[] = [];

/** What all hooks of one wire event of one dialect are shown of an event; written when first read. */
class Page {
  readonly given: HookEvent;
  readonly dialect: Dialect;
  readonly wireName: string;
  readonly projectDir: string;
  #spelled: Spelled | undefined;
  #stdin: JsonObject | undefined;
  #stdinText: string | undefined;
  #env: { readonly [name: string]: string } | undefined;

  constructor(given: HookEvent, { dialect, wireName, projectDir }: { readonly dialect: Dialect; readonly wireName: string; readonly projectDir: string }) {
    this.given = given;
    this.dialect = dialect;
    this.wireName = wireName;
    this.projectDir = projectDir;
  }

  get stdin(): JsonObject {
    return (this.#stdin ??= this.dialect.stdin(this.#wire));
  }

  get stdinText(): string {
    return (this.#stdinText ??= JSON.stringify(this.stdin));
  }

  get env(): { readonly [name: string]: string } {
    return (this.#env ??= this.dialect.env(this.#wire));
  }

  get #wire(): WireEvent {
    return (this.#spelled ??= new Spelled(this.given, this));
  }
}

/** A page as one hook gets it. */
class HookPayload implements Payload {
  readonly #hook: Hook;
  readonly #page: Page;

  constructor(hook: Hook, page: Page) {
    this.#hook = hook;
    this.#page = page;
  }

  get stdin(): JsonObject {
    return this.#page.stdin;
  }

  get stdinText(): string {
    return this.#page.stdinText;
  }

  get env(): { readonly [name: string]: string } {
    const { given, env, projectDir } = this.#page;
    return { ...env, ...pluginEnv(given, this.#hook, projectDir), ...this.#hook.env };
  }

  get ownEnv(): readonly string[] {
    return this.#page.dialect.ownEnv;
  }

  get toolUseId(): string | undefined {
    return this.#page.given.tool?.useId;
  }

  get release(): Dialect["release"] {
    return this.#page.dialect.release;
  }
}

/** The event with its tool spelled as the dialect does. */
class Spelled implements WireEvent {
  readonly event: HookEvent;
  readonly wireName: string;
  readonly projectDir: string;
  #inputText: string | undefined;

  constructor(given: HookEvent, { dialect, wireName, projectDir }: Page) {
    this.event = given.tool ? withTool(given, given.tool, spelledCall(given.tool, dialect)) : given;
    this.wireName = wireName;
    this.projectDir = projectDir;
  }

  get inputText(): string | undefined {
    const { tool } = this.event;
    return tool && (this.#inputText ??= tool.rawInput ?? JSON.stringify(tool.input));
  }
}

/** Itself where the dialect spells the call as it was given. */
function withTool(given: HookEvent, tool: EventTool, { name, input }: ToolCall): HookEvent {
  return name === tool.name && input === tool.input ? given : { ...given, tool: { ...tool, name, input } };
}

/** The four variables of plugin hooks [R10]. */
function pluginEnv(event: HookEvent, { plugin, action }: Hook, projectDir: string): { [name: string]: string } {
  if (!plugin) return {};
  const command = action.type === "command" ? action.command : "";
  return {
    CLAUDE_PLUGIN_ROOT: plugin.root,
    CLAUDE_PLUGIN_PATH: scriptOf(command, plugin.root),
    CLAUDE_PROJECT_DIR: projectDir,
    CLAUDE_SESSION_ID: event.sessionId ?? "",
  };
}

/** "Full path to the hook script": the first word of the command that lies in the plugin, else its hooks file. */
function scriptOf(command: string, root: string): string {
  const filled = command.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g, root);
  const words = filled.split(/[\s"';|&]+/);
  return words.find((word) => word.startsWith(`${root}/`)) ?? `${root}/hooks/hooks.json`;
}
