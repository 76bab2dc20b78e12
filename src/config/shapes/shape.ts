/** What the reader of one entry shape gets and gives. */
import type { Dialect } from "../../dialects/dialect.ts";
import type { DocNode } from "../../lib/document/node.ts";
import type { SandboxLevel } from "../../lib/sandbox-level.ts";
import type { Action } from "../../model/hook.ts";
import type { FaultTable } from "../../model/failure.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Position } from "../../lib/document/node.ts";
import type { Report } from "../entry.ts";

/** A hook as its file says it, before matchers are compiled and defaults filled in. */
export interface HookDraft {
  readonly at: Position;
  readonly name: string;
  readonly matcher: string | null;
  readonly matcherAt: Position;
  readonly condition: string | null;
  readonly action: Action;
  readonly timeoutMs: number | null;
  readonly onFault: Verdict | FaultTable | null;
  readonly once: boolean;
  readonly async: boolean;
  readonly enabled: boolean;
  readonly env: { readonly [name: string]: string };
  readonly passEnv: readonly string[];
  readonly sandbox: SandboxLevel | null;
}

/** What a reader knows besides the entry. */
export interface ShapeContext {
  readonly dialect: Dialect;
  readonly report: Report;
  /** The module that holds callbacks when none was given on the command line. */
  readonly callbackModule: string;
  /** The folder of the file, from which modules are named. */
  readonly folder: string;
}

/** Reads entries of one shape. */
export interface ShapeReader {
  /** Whether an entry looks like this shape, whatever else may be wrong with it. */
  readonly fits: (entry: DocNode) => boolean;
  /** How an entry should look, for messages. */
  readonly wants: string;
  readonly read: (entry: DocNode, context: ShapeContext) => readonly HookDraft[];
}

/** What a draft has when its entry says nothing. */
export function draft(at: Position, name: string, action: Action): HookDraft {
  return {
    at,
    name,
    matcher: null,
    matcherAt: at,
    condition: null,
    action,
    timeoutMs: null,
    onFault: null,
    once: false,
    async: false,
    enabled: true,
    env: {},
    passEnv: [],
    sandbox: null,
  };
}
