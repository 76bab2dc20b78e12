import type { Rule } from "../model/rule.ts";
import { findCommands } from "./command-index.ts";
import { hasHole } from "./holes.ts";
import { allowFile } from "./judge-file.ts";
import { setFor } from "./judge-other.ts";
import { MODE_TABLE } from "./modes.ts";
import { allPlaces, resolveUse } from "./places.ts";
import { inProject } from "./placement.ts";
import type { CompiledRule } from "./policy-table.ts";
import type { Policy } from "./rules.ts";
import type { Scene } from "./scene.ts";
import { DOUBTS, type DoubtKind } from "./shell/doubts.ts";
import type { FileUse, Reading, Unit } from "./shell/tree.ts";
import { WRAPPERS } from "./shell/wrappers.ts";

/** How far allow rules cover a shell text. */
export interface Cover {
  /** The first rule, when the whole text is covered. */
  readonly rule: Rule | undefined;
  readonly units: ReadonlyMap<Unit, Rule>;
  readonly files: ReadonlySet<FileUse>;
}

/** Doubts that an exact rule for the command settles: its owner has seen the words. */
const SETTLED_BY_EXACT: ReadonlySet<DoubtKind> = new Set<DoubtKind>(["carrier", "writing-option", "dynamic-option", "wrapped", "inline-code", "script-file"]);

/** Files that are no files of anybody: reading or writing them needs no rule. */
export const DEVICES: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero"]);

/** Finds out whether allow rules cover every command, every started command and every file of the text. */
export function coverShell(text: string | undefined, reading: Reading, policy: Policy, scene: Scene): Cover {
  const units = new Map<Unit, Rule>();
  const files = new Set<FileUse>();
  const exact = new Set<Unit>();
  if (!policy.tables.some((table) => table.allow.tools.has("shell"))) return { rule: undefined, units, files };
  for (const unit of reading.units) {
    const found = bestAllow(unit, policy);
    if (found === undefined) continue;
    units.set(unit, found.rule);
    if (found.exact) exact.add(unit);
  }
  const whole = text === undefined ? undefined : wholeAllow(text, reading, policy);
  if (whole) return { rule: whole, units, files };
  const commands = reading.units.filter((unit) => unit.tokens.length > 0 && unit.certain);
  let covered = commands.length > 0;
  for (const doubt of reading.doubts) {
    const settled = SETTLED_BY_EXACT.has(doubt.kind) && doubt.unit !== undefined && within(doubt.unit, exact);
    if (DOUBTS[doubt.kind].allow && !settled) covered = false;
  }
  for (const unit of commands) if (!units.has(unit) && !looksThrough(unit, reading) && !within(unit.parent, exact)) covered = false;
  for (const use of reading.uses) {
    if (coversUse(use, policy, scene) || within(use.unit, exact)) files.add(use);
    else covered = false;
  }
  return { rule: covered ? firstRule(commands, units) : undefined, units, files };
}

/** The rule that allows one command by itself. */
export function allowedCommand(unit: Unit, cover: Cover): Rule | undefined {
  return cover.units.get(unit);
}

function firstRule(commands: readonly Unit[], units: ReadonlyMap<Unit, Rule>): Rule | undefined {
  for (const unit of commands) {
    const rule = units.get(unit);
    if (rule) return rule;
  }
  return undefined;
}

/** The whole text by an exact rule, or by one without a pattern, whatever the text says. */
function wholeAllow(text: string, reading: Reading, policy: Policy): Rule | undefined {
  for (const table of policy.tables) {
    const set = setFor(table.allow, "shell");
    let found: CompiledRule | undefined;
    findCommands(set.texts, text.trim(), (rule, isExact) => {
      if (isExact) found ??= rule;
    });
    if (found) return found.rule;
    const any = set.any[0];
    if (any && text.trim() !== "" && reading.doubts.every(({ kind }) => !DOUBTS[kind].bare)) return any.rule;
  }
  return undefined;
}

function bestAllow(unit: Unit, policy: Policy): { rule: Rule; exact: boolean } | undefined {
  const first = unit.tokens[0];
  if (first === undefined) return undefined;
  let best: CompiledRule | undefined;
  let exact = false;
  for (const table of policy.tables) {
    const set = setFor(table.allow, "shell");
    if (set.any[0]) best ??= set.any[0];
    findCommands(set.texts, unit.raw, (rule, isExact) => {
      if (best === undefined || rule.order < best.order) best = rule;
      exact ||= isExact;
    });
  }
  return best && { rule: best.rule, exact };
}

function within(unit: Unit | undefined, exact: ReadonlySet<Unit>): boolean {
  for (let one = unit; one; one = one.parent) if (exact.has(one)) return true;
  return false;
}

/** A harmless wrapper by its plain name needs no rule of its own when what it starts is judged. */
function looksThrough(unit: Unit, reading: Reading): boolean {
  const name = unit.tokens[0]?.raw ?? "";
  return WRAPPERS.get(name)?.harmless === true && reading.units.some((one) => one.parent === unit && one.certain);
}

function coversUse(use: FileUse, policy: Policy, scene: Scene): boolean {
  if (use.needs === "nothing" || DEVICES.has(use.token.value)) return true;
  if (use.access === "read") return true;
  const unknown = hasHole(use.token.value);
  const places = allPlaces(use.places, scene);
  const byMode = MODE_TABLE[scene.mode].write === "allow";
  const bare = policy.tables.some((table) => setFor(table.allow, "write").any.length > 0);
  if (bare) return true;
  if (unknown || places === undefined) return false;
  return places.every((cwd) => {
    const path = resolveUse(use, cwd, scene);
    if (path === undefined) return false;
    if (policy.tables.some((table) => allowFile(table, "write", path, scene))) return true;
    return (byMode || use.needs === "inside") && path.real.every((real) => inProject(real, scene));
  });
}
