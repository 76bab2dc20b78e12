/** Findings in SARIF 2.1.0, as code hosts and editors read them. */
import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { NOTICES, type NoticeKind } from "../model/notice.ts";
import { NOTICE_TEXTS } from "./descriptions.ts";
import type { Finding, Severity } from "./finding.ts";

/** SARIF's words for our severities. */
const LEVELS: { readonly [severity in Severity]: "error" | "warning" | "note" } = { error: "error", warning: "warning", info: "note" };

/** One run with every finding; places are relative to the project folder where they can be. */
export function sarif(findings: readonly Finding[], { cwd, version }: { readonly cwd: string; readonly version: string }): object {
  const used = (Object.keys(NOTICES) satisfies string[]).filter((kind): kind is NoticeKind => findings.some((finding) => finding.kind === kind));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "snaphook", version, rules: used.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { [ROOT]: { uri: `${pathToFileURL(cwd).href.replace(/\/$/, "")}/` } },
        results: findings.map((finding) => ({
          ruleId: finding.kind,
          ruleIndex: used.indexOf(finding.kind),
          level: LEVELS[finding.severity],
          message: { text: finding.message },
          locations: locationsOf(finding, cwd),
        })),
      },
    ],
  };
}

const ROOT = "SRCROOT";

function ruleOf(kind: NoticeKind): object {
  return { id: kind, shortDescription: { text: NOTICE_TEXTS[kind] }, defaultConfiguration: { level: LEVELS[NOTICES[kind]] } };
}

function locationsOf({ file, line, column }: Finding, cwd: string): readonly object[] {
  if (file === undefined) return [];
  const region = { startLine: line ?? 1, startColumn: column ?? 1 };
  return [{ physicalLocation: { artifactLocation: artifact(file, cwd), region } }];
}

function artifact(file: string, cwd: string): object {
  const path = relative(cwd, file);
  if (isAbsolute(path) || path.startsWith("..")) return { uri: pathToFileURL(file).href };
  return { uri: path.split(sep).map(encodeURIComponent).join("/"), uriBaseId: ROOT };
}
