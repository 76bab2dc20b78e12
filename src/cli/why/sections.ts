/** What stands below the answer: hooks, files, modes, a first rule set, what was found wrong. */
import { NOTICES } from "../../model/notice.ts";
import { sourceText } from "../../model/source.ts";
import { VERDICTS, type Verdict } from "../../model/verdict.ts";
import { shortPath, shortPaths } from "../render/paths.ts";
import { counted, oneLine, wrap } from "../render/text.ts";
import type { Explanation, FileVerdict } from "./explain.ts";
import type { ConcernedHook } from "./hooks.ts";
import type { Page } from "./page.ts";
import { layTable, type TableRow } from "./table.ts";
import { VERDICT_LOOK } from "./words.ts";

const MARGIN = "     ";
const LIMIT_HOOKS = 40;

/** Every section that has something to say, in order. */
export function sections(explanation: Explanation, page: Page): readonly (readonly string[])[] {
  return [hooksSection, rewriteSection, filesSection, modesSection, starterSection, findingsSection].map((section) => section(explanation, page));
}

function hooksSection({ hooks, decision }: Explanation, page: Page): readonly string[] {
  if (hooks.length === 0) return [];
  const title = decision ? "Hooks" : "Hooks that would run (none was run; --run runs the trusted ones)";
  const table = layTable(
    hooks.map((hook) => hookRow(hook, { ran: decision !== null, page })),
    { width: page.width - MARGIN.length, flexible: 2, under: 2, limitRows: LIMIT_HOOKS },
  );
  const untrusted = hooks.some(({ trust }) => trust === "untrusted")
    ? ["untrusted hooks come with this folder: `snaphook trust` lets them run, --trust once"]
    : [];
  return [heading(title, page), ...table.map(margined), ...untrusted.flatMap((text) => prose(text, page))];
}

function hookRow(hook: ConcernedHook, { ran, page }: { readonly ran: boolean; readonly page: Page }): TableRow {
  const { report, source } = hook;
  const at = source ? sourceText({ ...source, file: oneLine(shortPath(source.file, page.folders)) }) : "";
  const details = [
    at,
    hook.matcher === null ? "" : `matcher ${oneLine(hook.matcher)}`,
    hook.if === null ? "" : `if ${oneLine(hook.if)}`,
    hook.type === "command" ? "" : hook.type,
    hook.detached ? "not waited for" : "",
  ];
  const left = hook.trust === "untrusted" ? null : hook.leftOutBecause;
  const said = report ? (report.fault ? `failed: ${report.fault.message}` : report.reason) : left && `not armed: ${shortPaths(left, page.folders)}`;
  return {
    cells: [hook.dialect, hook.event, oneLine(shortPaths(hook.name, page.folders)), ...(ran ? [endText(hook, page)] : []), hook.trust],
    place: page.paint("dim", details.filter((text) => text !== "").join("  ")),
    ...(said === null || said === "" ? {} : { below: [oneLine(said)] }),
  };
}

/** How a run ended, in a word or two. */
function endText({ report }: ConcernedHook, { paint }: Page): string {
  if (!report) return "not run";
  const time = report.durationMs >= 0.05 ? `  ${report.durationMs >= 10 ? Math.round(report.durationMs) : Math.round(report.durationMs * 10) / 10} ms` : "";
  if (report.fault) return `${paint("red", "fault")}${time}`;
  if (report.verdict) return `${paint(VERDICT_LOOK[report.verdict].colour, report.verdict)}${time}`;
  return report.ended === "skipped" || report.ended === "detached" ? report.ended : `no opinion${time}`;
}

function rewriteSection({ decision }: Explanation, page: Page): readonly string[] {
  if (!decision?.input || JSON.stringify(decision.input) === JSON.stringify(decision.originalInput)) return [];
  return [
    heading("A hook rewrote the call; rules judge what it made of it", page),
    ...prose(`asked was ${oneLine(JSON.stringify(decision.originalInput))}`, page),
  ];
}

function filesSection({ byFile }: Explanation, page: Page): readonly string[] {
  if (byFile.length < 2) return [];
  const labels = fileLabels(byFile, page);
  return [
    heading("The same call under each file alone", page),
    ...flow(
      byFile.map(({ verdict }, index) => [labels[index] ?? "", verdict]),
      page,
    ),
  ];
}

/** A file goes by its dialect, else by its path; two that share a name by their layer too. */
function fileLabels(files: readonly FileVerdict[], { folders }: Page): readonly string[] {
  const names = files.map(({ dialects, file }) => (dialects.length > 0 ? dialects.join("+") : oneLine(shortPath(file, folders))));
  return names.map((name, index) => (names.filter((each) => each === name).length > 1 ? `${name} (${files[index]?.layer})` : name));
}

function modesSection({ byMode, mode }: Explanation, page: Page): readonly string[] {
  const [first] = byMode;
  if (!first || byMode.every(({ verdict }) => verdict === first.verdict))
    return first ? [heading(`The same call in each mode: ${first.verdict} in all of them`, page)] : [];
  return [
    heading(`The same call in each mode (here: ${mode})`, page),
    ...flow(
      byMode.map((row) => [row.mode, row.verdict]),
      page,
    ),
  ];
}

function starterSection({ starter }: Explanation, page: Page): readonly string[] {
  if (!starter) return [];
  const lists = VERDICTS.flatMap((verdict) => (starter.permissions[verdict] ? [{ verdict, rules: starter.permissions[verdict] }] : []));
  const body = lists.map(
    ({ verdict, rules }, index) =>
      `    "${verdict}": ${page.paint(VERDICT_LOOK[verdict].colour, JSON.stringify(rules).replaceAll('","', '", "'))}${index < lists.length - 1 ? "," : ""}`,
  );
  const each = starter.commands.length > 1 ? `${starter.commands.map((verdict, index) => `${index + 1} ${verdict}`).join(", ")}: ` : "";
  const then = `with it: ${each}the answer is ${starter.verdict}.`;
  return [
    heading(`A first rule set: paste it into ${starter.file}`, page),
    ...["{", '  "permissions": {', ...body, "  }", "}"].map(margined),
    ...prose(then, page),
  ];
}

function findingsSection({ configuration }: Explanation, page: Page): readonly string[] {
  const findings = configuration.notices.filter(({ kind }) => NOTICES[kind] !== "info");
  return findings.length > 0 ? prose(`${counted(findings.length, "finding")} in these files: \`snaphook lint\` tells where and what to do.`, page) : [];
}

function heading(text: string, { paint }: Page): string {
  return `  ${paint("bold", text)}`;
}

function margined(line: string): string {
  return line === "" ? "" : MARGIN + line;
}

function prose(text: string, { width }: Page): readonly string[] {
  return wrap(text, width - MARGIN.length).map(margined);
}

/** `lime deny · claw ask · goose no opinion`, broken between the parts. */
function flow(parts: readonly (readonly [string, Verdict | null])[], { paint, width }: Page): readonly string[] {
  const words = parts.map(([name, verdict]) => `${name}\u00A0${verdict ?? "no\u00A0opinion"}`);
  const lines = wrap(words.join(" \u00B7 "), width - MARGIN.length);
  const coloured = (line: string): string =>
    line.replace(/\u00A0(allow|ask|deny)(?= |$)/g, (_, verdict: Verdict) => ` ${paint(VERDICT_LOOK[verdict].colour, verdict)}`).replaceAll("\u00A0", " ");
  return lines.map((line) => margined(coloured(line)));
}
