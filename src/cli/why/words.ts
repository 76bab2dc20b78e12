/** How verdicts, steps and kinds are said to people. */
import type { Mode } from "../../model/rule.ts";
import type { ToolKind } from "../../model/tools.ts";
import type { Verdict } from "../../model/verdict.ts";
import { MODE_TABLE } from "../../permissions/modes.ts";
import type { Colour } from "../render/colour.ts";
import type { Answer } from "./rehearse.ts";

/** The colour of each verdict, and the line below what has it. */
export const VERDICT_LOOK: { readonly [verdict in Verdict]: { readonly colour: Colour; readonly line: "~" | "^" } } = {
  allow: { colour: "green", line: "~" },
  ask: { colour: "yellow", line: "^" },
  deny: { colour: "red", line: "^" },
};

const KINDS: { readonly [kind in ToolKind]: string } = {
  read: "tools that read",
  write: "tools that write",
  shell: "shell commands",
  own: "what a session keeps for itself",
  other: "tools of other kinds",
};
const SAYS: { readonly [verdict in Verdict]: string } = { allow: "allows", ask: "asks before", deny: "denies" };

/** One sentence on the step that decided. */
export const STEP_TEXT: { readonly [step in Answer["step"]]: (about: { readonly mode: Mode; readonly kind: ToolKind; readonly because: string }) => string } = {
  "deny-rule": ({ mode }) => `mode ${mode} was not asked: a deny decides.`,
  "unresolved-deny": ({ mode }) => `mode ${mode} was not asked: what may meet a deny rule is a question in every mode.`,
  protected: ({ because }) => because,
  "ask-rule": ({ mode }) => `mode ${mode} was not asked: an ask rule decides.`,
  "allow-rule": ({ mode }) => `mode ${mode} was not asked: rules allow all of it.`,
  mode: ({ mode, kind }) => `no rule decides, so mode ${mode} does: it ${modeText(mode, kind)}.`,
  hook: ({ because }) => `a hook decides: ${because}`,
  "unreadable-file": ({ because }) => because,
  "changed-hook": ({ because }) => because,
};

/** `asks before shell commands`. */
export function modeText(mode: Mode, kind: ToolKind): string {
  return `${SAYS[MODE_TABLE[mode][kind]]} ${KINDS[kind]}`;
}

/** What a mode does, kind by kind: `allows tools that read, asks before tools that write, shell commands and tools of other kinds`. */
export function wholeModeText(mode: Mode): string {
  const kinds = new Map<Verdict, string[]>();
  for (const kind of ["read", "write", "shell", "other"] as const)
    kinds.set(MODE_TABLE[mode][kind], [...(kinds.get(MODE_TABLE[mode][kind]) ?? []), KINDS[kind]]);
  return [...kinds].map(([verdict, names]) => `${SAYS[verdict]} ${listed(names)}`).join(" and ");
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
