import type { Rule } from "../model/rule.ts";
import { findCommands } from "./command-index.ts";
import { hasHole } from "./holes.ts";
import { allowFile } from "./judge-file.ts";
import { setFor } from "./judge-other.ts";
import { MODE_TABLE } from "./modes.ts";
import type { PlacedUse } from "./places.ts";
import { inProject } from "./placement.ts";
import type { CompiledRule, PolicyTable } from "./policy-table.ts";
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
  /** The files that are not covered; undefined when none is. */
  readonly open: ReadonlySet<FileUse> | undefined;
}

/** Doubts that an exact rule for the command settles: its owner has seen the words. */
const SETTLED_BY_EXACT: ReadonlySet<DoubtKind> = new Set<DoubtKind>(["carrier", "writing-option", "dynamic-option", "wrapped", "inline-code", "script-file"]);

/** Finds out whether allow rules cover every command, every started command and every file of the text. */
export function coverShell(text: string | undefined, reading: Reading, placed: readonly PlacedUse[], policy: Policy, scene: Scene): Cover {
  if (!policy.tables.some(hasShellRules)) return UNCOVERED;
  const found = allowedUnits(reading, policy);
  const whole = text === undefined ? undefined : wholeAllow(text, reading, policy);
  if (whole) return { rule: whole, units: found.rules, open: undefined };
  const open = openFiles(placed, found, policy, scene);
  const covered = found.rules.size > 0 && open.size === 0 && coversDoubts(reading, found) && coversCommands(reading, found);
  return { rule: covered ? firstRule(reading, found) : undefined, units: found.rules, open };
}

function hasShellRules({ allow }: PolicyTable): boolean {
  return allow.tools.has("shell");
}

/** The commands that allow rules match. */
interface Allowed {
  readonly rules: ReadonlyMap<Unit, Rule>;
  /** Those matched by an exact rule: its owner has seen all their words. */
  readonly exact: ReadonlySet<Unit>;
}

const NO_FILES: ReadonlySet<FileUse> = new Set();
const NO_UNITS: ReadonlySet<Unit> = new Set();
const UNCOVERED: Cover = { rule: undefined, units: new Map(), open: undefined };

function allowedUnits({ units }: Reading, policy: Policy): Allowed {
  const rules = new Map<Unit, Rule>();
  let exact: Set<Unit> | undefined;
  for (const unit of units) {
    const found = bestAllow(unit, policy);
    if (found === undefined) continue;
    rules.set(unit, found.rule);
    if (found.exact) (exact ??= new Set()).add(unit);
  }
  return { rules, exact: exact ?? NO_UNITS };
}

function openFiles(placed: readonly PlacedUse[], { exact }: Allowed, policy: Policy, scene: Scene): ReadonlySet<FileUse> {
  let open: Set<FileUse> | undefined;
  for (const one of placed) if (!coversUse(one, policy, scene) && !within(one.use.unit, exact)) (open ??= new Set()).add(one.use);
  return open ?? NO_FILES;
}

function coversDoubts({ doubts }: Reading, { exact }: Allowed): boolean {
  return doubts.every(({ kind, unit }) => !DOUBTS[kind].allow || (SETTLED_BY_EXACT.has(kind) && within(unit, exact)));
}

/** Whether every command that certainly runs is allowed, or only starts others, or is started by an exactly allowed one. */
function coversCommands({ units }: Reading, { rules, exact }: Allowed): boolean {
  let parents: ReadonlySet<Unit | undefined> | undefined;
  for (const unit of units) {
    const [first] = unit.tokens;
    if (first === undefined || !unit.certain || rules.has(unit) || within(unit.parent, exact)) continue;
    parents ??= new Set(units.filter((one) => one.certain).map((one) => one.parent));
    // A harmless wrapper by its plain name needs no rule of its own when what it starts is judged.
    if (!(parents.has(unit) && WRAPPERS.get(first.raw)?.harmless)) return false;
  }
  return true;
}

/** The rule of the first command; undefined when there is no command at all. */
function firstRule({ units }: Reading, { rules }: Allowed): Rule | undefined {
  const first = units.find((unit) => unit.certain && rules.has(unit));
  return first && rules.get(first);
}

/** The whole text by an exact rule, or by one without a pattern, whatever the text says. */
function wholeAllow(text: string, reading: Reading, policy: Policy): Rule | undefined {
  for (const table of policy.tables) {
    const set = setFor(table.allow, "shell");
    let found: CompiledRule | undefined;
    if (set.texts.hasExact) findCommands(set.texts, text.trim(), (rule, isExact) => void (found ??= isExact ? rule : undefined));
    if (found) return found.rule;
    const any = set.any[0];
    if (any && text.trim() !== "" && reading.doubts.every(({ kind }) => !DOUBTS[kind].bare)) return any.rule;
  }
  return undefined;
}

function bestAllow(unit: Unit, policy: Policy): { rule: Rule; exact: boolean } | undefined {
  if (unit.tokens.length === 0) return undefined;
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

function coversUse({ use, paths, anywhere }: PlacedUse, policy: Policy, scene: Scene): boolean {
  if (use.needs === "nothing" || use.access === "read" || policy.tables.some(allowsAnyWrite)) return true;
  if (anywhere || hasHole(use.token.value)) return false;
  const inside = use.needs === "inside" || MODE_TABLE[scene.mode].write === "allow";
  return paths.every((path) => {
    if (path === undefined) return false;
    if (policy.tables.some((table) => allowFile(table, "write", path, scene))) return true;
    return inside && path.real.every((real) => inProject(real, scene));
  });
}

function allowsAnyWrite({ allow }: PolicyTable): boolean {
  return setFor(allow, "write").any.length > 0;
}
