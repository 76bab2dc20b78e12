/** A configuration → everything that is wrong in it, in the order of files and lines. */
import type { Configuration } from "../config/load.ts";
import type { LintContext } from "./check.ts";
import { CHECKS } from "./checks/index.ts";
import { findingOf, type Finding } from "./finding.ts";
import { inventory, isArmed } from "./inventory.ts";

/** What `lint` has to say. */
export interface LintReport {
  readonly findings: readonly Finding[];
  /** Files that were looked at. */
  readonly files: number;
  /** Hooks that stand in them. */
  readonly hooks: number;
  readonly armed: number;
  readonly notArmed: number;
}

/** Runs every check, and adds what reading the files has reported. */
export async function lint(configuration: Configuration, { cwd, home }: Pick<LintContext, "cwd" | "home">): Promise<LintReport> {
  const hooks = configuration.files.flatMap((file) => file.entries.flatMap((entry) => entry.hooks));
  const context: LintContext = { configuration, hooks, cwd, home };
  const found = await Promise.all(CHECKS.map(async (check) => check.run(context)));
  const rows = inventory(configuration).filter((row) => row.source !== null);
  const armed = rows.filter(isArmed).length;
  return {
    findings: inOrder([...configuration.notices, ...found.flat()].map(findingOf), configuration),
    files: configuration.files.length,
    hooks: rows.length,
    armed,
    notArmed: rows.length - armed,
  };
}

/** By file as they were read, then by place; the same thing said twice about one place is said once. */
function inOrder(findings: readonly Finding[], { files }: Configuration): readonly Finding[] {
  const paths = files.map((file) => file.source.path);
  const rank = ({ file }: Finding): number => (file === undefined ? paths.length : paths.indexOf(file));
  const unique = new Map(findings.map((finding) => [JSON.stringify([finding.file, finding.line, finding.column, finding.message]), finding]));
  return [...unique.values()].toSorted(
    (left, right) => rank(left) - rank(right) || (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0),
  );
}
