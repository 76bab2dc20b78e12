import { resolve } from "node:path";
import { surroundings } from "../config/locate.ts";
import { createEngine } from "../engine/engine.ts";
import type { Finding, Severity } from "../lint/finding.ts";
import { lint, type LintReport } from "../lint/lint.ts";
import { sarif } from "../lint/sarif.ts";
import type { Command, Words } from "./command.ts";
import { CONFIG_OPTIONS, configsOf } from "./config-options.ts";
import { painter, type Colour, type Paint } from "./render/colour.ts";
import { shortPath, shortPaths, type Folders } from "./render/paths.ts";
import { nothingFound } from "./render/places.ts";
import { counted, oneLine } from "./render/text.ts";
import { VERSION } from "./version.ts";

const { trust: _, frozen: _frozen, "require-trust": _required, ...OPTIONS } = CONFIG_OPTIONS;

/** `snaphook lint`. */
export const lintCommand: Command = {
  summary: "what is wrong in configuration files, with file, line and column",
  usage: "lint [FILE…] [--config FILE]… [--dialect ID] [--cwd DIR] [--json | --sarif]",
  options: { ...OPTIONS, sarif: { type: "boolean", help: "findings in SARIF 2.1.0, for code hosts and editors" } },
  notes: [
    "Without files, every dialect's own places are searched. No hook is run and no callback is loaded.",
    "Ends with 78 when there are errors; warnings alone are fine.",
  ],
  run: async (words, surface) => {
    const cwd = resolve(surface.cwd, words.values["cwd"]?.at(-1) ?? ".");
    const around = surroundings({ cwd, env: surface.env });
    const folders = { cwd, home: around.home };
    const { configuration } = await createEngine({ cwd, env: surface.env, configs: filesOf(words), trust: true });
    const report = await lint(configuration, folders);
    if (words.flags["sarif"]) surface.stdout(`${JSON.stringify(sarif(report.findings, { cwd, version: VERSION }), null, 2)}\n`);
    else if (words.flags["json"]) surface.stdout(`${JSON.stringify(report)}\n`);
    else if (report.files === 0 && report.hooks === 0) surface.stdout(nothingFound(around, surface.terminal.columns));
    else surface.stdout(reportText(report, folders, painter(surface.terminal.colour)));
    return report.findings.some(({ severity }) => severity === "error") ? BAD_CONFIGURATION : 0;
  },
};

const BAD_CONFIGURATION = 78;

/** Files given as words come first; the last `--dialect` holds for them. */
function filesOf(words: Words): { readonly file: string; readonly dialect?: string }[] {
  const dialect = words.values["dialect"]?.at(-1);
  return [...words.positionals.map((file) => ({ file, ...(dialect !== undefined && { dialect }) })), ...configsOf(words)];
}

const COLOURS: { readonly [severity in Severity]: Colour } = { error: "red", warning: "yellow", info: "cyan" };

function reportText({ findings, files, hooks, armed, notArmed }: LintReport, folders: Folders, paint: Paint): string {
  const lines = findings.map((finding) => findingText(finding, folders, paint));
  return [...lines, `${counted(files, "file")}, ${counted(hooks, "hook")}: ${armed} armed, ${notArmed} not.`, ""].join("\n");
}

function findingText({ file, line, column, severity, message }: Finding, folders: Folders, paint: Paint): string {
  const place = file === undefined ? "" : `${oneLine(shortPath(file, folders))}:${line ?? 1}:${column ?? 1}  `;
  return `${place}${paint(COLOURS[severity], severity)}  ${oneLine(shortPaths(message, folders)).trimEnd()}`;
}
