import type { SandboxLevel } from "../lib/sandbox-level.ts";
import type { Layer } from "./layer.ts";
import type { Source } from "./source.ts";
import type { EventName } from "./events.ts";
import type { FaultPolicy } from "./failure.ts";

/** How a command is launched, by a row of the launch table. */
export type Launch = "sh -c" | "sh -lc" | "argv";

/** A function that stands in a hook. It gets the dialect's payload, the tool use id, and a signal that is aborted at the timeout. */
export type Callback = (input: unknown, toolUseId: string | undefined, options: { readonly signal: AbortSignal }) => unknown;

/** What a hook does when it runs, by type: one runner for each. */
export type Action =
  | {
      readonly type: "command";
      readonly launch: Launch;
      readonly command: string;
      readonly args: readonly string[] | null;
      /** The process stays between events, until it was idle for so long; absent: it is started anew for each. */
      readonly worker?: { readonly idleMs: number };
    }
  /** A JavaScript or TypeScript file whose default export is a callback, in a process of its own that stays. */
  | { readonly type: "module"; readonly module: string; readonly worker: { readonly idleMs: number } }
  | {
      readonly type: "http";
      readonly url: string;
      readonly headers: { readonly [name: string]: string };
      /** Variables that headers may name; null: any. */
      readonly allowedEnv: readonly string[] | null;
      readonly secret: string | null;
      /** Why the configuration does not let it be sent; null: it may be. */
      readonly refused: string | null;
      /** Its host was named by the owner of the machine, so it may be in a private network. */
      readonly allowPrivate: boolean;
    }
  | { readonly type: "callback"; readonly callback: string | Callback; readonly module: string | null }
  | { readonly type: "prompt"; readonly prompt: string; readonly model: string | null }
  | { readonly type: "agent"; readonly prompt: string; readonly model: string | null };

/** An action whose process stays between events. */
export type WarmAction = Extract<Action, { readonly type: "command" | "module" }> & { readonly worker: { readonly idleMs: number } };

/** Whether an action's process stays between events. */
export function isWarm(action: Action): action is WarmAction {
  return (action.type === "command" || action.type === "module") && action.worker !== undefined;
}

export type ActionType = Action["type"];

/** The test that decides whether a hook is concerned by an event's subject. */
export type Matcher =
  | { readonly kind: "all" }
  | { readonly kind: "names"; readonly names: readonly string[] }
  | { readonly kind: "pattern"; readonly text: string; readonly test: (subject: string) => boolean };

/** A matcher as it is written in a file; null for one that takes everything. */
export function matcherText(matcher: Matcher): string | null {
  switch (matcher.kind) {
    case "all":
      return null;
    case "names":
      return matcher.names.join("|");
    case "pattern":
      return matcher.text;
  }
}

/** A plugin that a hook belongs to. */
export interface PluginOrigin {
  readonly root: string;
  readonly name: string;
}

/** The sandbox of a hook. */
export interface Sandboxing {
  /** What its entry says; null: nothing. */
  readonly said: SandboxLevel | null;
  /** What holds, once all settings that bind it are counted. */
  readonly level: SandboxLevel;
  /** Where that is said; null: in the entry itself, or nowhere. */
  readonly by: Source | null;
}

/** Nobody asks for a sandbox. */
export const NO_SANDBOX: Sandboxing = { said: null, level: "none", by: null };

/** One configured reaction: where it came from, its event, matcher, action and limits. */
export interface Hook {
  readonly name: string;
  readonly dialect: string;
  readonly wireName: string;
  readonly events: readonly EventName[];
  readonly layer: Layer;
  /** Null for hooks that are part of a dialect or were given by the library's caller. */
  readonly source: Source | null;
  readonly matcher: Matcher;
  /** A permission pattern that the call must meet, as `Bash(git push *)`. */
  readonly condition: string | null;
  readonly action: Action;
  readonly timeoutMs: number;
  /** What happens when it fails. */
  readonly onFault: FaultPolicy;
  readonly once: boolean;
  readonly async: boolean;
  /** Its question gives way to an allow of another hook or of the gate: the built-in approval hook's does. */
  readonly yields: boolean;
  readonly env: { readonly [name: string]: string };
  /** Variables of Snaphook's own environment that it gets besides those every program may see. */
  readonly passEnv: readonly string[];
  /** The sandbox that it runs in. */
  readonly sandbox: Sandboxing;
  readonly plugin: PluginOrigin | null;
}
