/** What hooks rest on besides themselves: files, trust, sandbox, daemon, log. One row a thing; nothing here runs a hook. */
import { realpathSync, statSync } from "node:fs";
import { listLanes, segmentPath } from "../../audit/files.ts";
import { lastEntries } from "../../audit/read.ts";
import { verify } from "../../audit/verify.ts";
import { SWITCHES } from "../../config/switches.ts";
import { findDaemon } from "../../daemon/info.ts";
import { placeOf } from "../../daemon/place.ts";
import type { Engine } from "../../engine/engine.ts";
import { messageOf } from "../../lib/errors.ts";
import { LAUNCHER_MODES } from "../../lib/launcher.ts";
import { isProgram } from "../../lib/programs.ts";
import { findSandbox, sandboxProblem, sandboxVersion } from "../../lib/sandbox.ts";
import { SANDBOX_LEVELS } from "../../lib/sandbox-level.ts";
import { ZYGOTE_PROGRAM, zygotePossible } from "../../lib/zygote/spawn-zygote.ts";
import { readRecord } from "../../trust/record.ts";
import { day } from "../../trust/standing.ts";
import { auditPlace } from "../audit/place.ts";
import { numberText } from "../audit/search.ts";
import type { Surface } from "../command.ts";
import { alignColumns } from "../render/columns.ts";
import { shortPath, type Folders } from "../render/paths.ts";
import { counted } from "../render/text.ts";
import { VERSION } from "../version.ts";

/** `bad`: something is wrong; `odd`: worth a look; `off`: not here, and not needed. */
export type Health = "fine" | "odd" | "bad" | "off";

/** How one thing is. */
export interface Finding {
  readonly health: Health;
  readonly text: string;
  /** Lines below it. */
  readonly more?: readonly string[];
}

/** What the rows look at. */
export interface Patient {
  readonly engine: Engine;
  readonly surface: Surface;
  readonly folders: Folders;
  /** Where approvals are kept. */
  readonly configDir: string;
}

type Examine = (patient: Patient) => Finding | Promise<Finding>;

/** Everything that is looked at, in the order of the page. */
export const SURROUNDINGS: { readonly [name: string]: Examine } = { program, files, managed, trust, sandbox, launcher, daemon, audit };

const OLDEST_NODE = [20, 19] as const;

function program(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const old = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const text = `Snaphook ${VERSION}, Node ${process.versions.node}${old ? `: it needs ${OLDEST_NODE.join(".")} or later` : ""}`;
  return { health: old ? "bad" : "fine", text };
}

function files({ engine: { configuration }, folders }: Patient): Finding {
  const { files: found, broken } = configuration;
  if (found.length === 0) return { health: "off", text: "none here: `snaphook list` names the places" };
  const rows = found.map(({ source, hooks, rules, notices }) => {
    const told = broken.includes(source.path)
      ? (notices[0]?.message ?? "it can't be read")
      : `${counted(hooks.length, "hook")}, ${counted(rules.length, "rule")}`;
    return [shortPath(source.path, folders), source.layer, told];
  });
  const more = alignColumns(rows);
  return {
    health: broken.length > 0 ? "bad" : "fine",
    text: `${counted(found.length, "file")}${broken.length > 0 ? `, ${broken.length} of them not readable: calls are asked` : ""}`,
    more,
  };
}

function managed({ engine: { configuration } }: Patient): Finding {
  const own = configuration.files.filter(({ source }) => source.layer === "managed");
  if (own.length === 0) return { health: "off", text: "no managed settings" };
  const refused = own.filter(({ broken }) => broken);
  const said = own.flatMap(({ switches, terms, mode }) => [
    ...Object.keys(SWITCHES).filter((name) => Object.hasOwn(switches, name)),
    ...(terms.urls ? [`allowedHttpHookUrls (${terms.urls.patterns.length})`] : []),
    ...(terms.sandbox ? [`sandbox ${terms.sandbox.level}`] : []),
    ...(terms.auditRequired ? ["audit required"] : []),
    ...(mode ? [`defaultMode ${mode}`] : []),
  ]);
  const text =
    refused.length > 0 ? `${counted(refused.length, "file")} refused: nothing in it counts` : `in force${said.length > 0 ? `: ${said.join(", ")}` : ""}`;
  return { health: refused.length > 0 ? "bad" : "fine", text };
}

function trust({ engine, configDir }: Patient): Finding {
  const { policy, where, problems } = engine.trust;
  const [problem] = problems;
  if (problem !== undefined) return { health: "bad", text: problem };
  if (policy.kind === "all") return { health: "odd", text: "everything is trusted, by --trust, SNAPHOOK_TRUST or by being named" };
  if (policy.kind === "none") return { health: "off", text: "nothing that comes with a folder is trusted" };
  if (policy.kind === "lock") return { health: "fine", text: `what ${policy.lock.path} lists` };
  const read = readRecord(configDir, realOf(where.root));
  if (read.kind === "refused") return { health: "bad", text: read.message };
  if (read.kind === "record") return { health: "fine", text: `this folder since ${day(read.record.at)}, ${counted(read.record.entries.length, "thing")}` };
  const waits = engine.configuration.leftOut.some(({ state }) => state === "new");
  return { health: waits ? "odd" : "off", text: `this folder is not trusted${waits ? ": `snaphook trust` shows what it brings" : "; nothing in it needs it"}` };
}

async function sandbox({ surface: { env }, engine }: Patient): Promise<Finding> {
  const levels = SANDBOX_LEVELS.filter((level) => level !== "none");
  const wanted = engine.configuration.hooks.some((hook) => hook.sandbox.level !== "none");
  const path = env["PATH"];
  const found = findSandbox(path);
  const tried = await Promise.all(levels.map(async (level) => ({ level, problem: await sandboxProblem(level, path) })));
  const missing = tried.filter(({ problem }) => problem !== null);
  const usable = tried.filter(({ problem }) => problem === null).map(({ level }) => level);
  if (found === undefined) return { health: wanted ? "bad" : "off", text: missing[0]?.problem ?? "" };
  const text = `${await sandboxVersion(found)}: ${usable.length > 0 ? usable.join(" and ") : "no level can be used"}`;
  return { health: missing.length === 0 ? "fine" : wanted ? "bad" : "odd", text, more: missing.map(({ level, problem }) => `${level}: ${problem}`) };
}

function launcher({ surface: { env } }: Patient): Finding {
  const said = env["SNAPHOOK_LAUNCHER"] || LAUNCHER_MODES[0];
  const zygote = zygotePossible() && isProgram(ZYGOTE_PROGRAM);
  const how =
    said === "spawn"
      ? "spawn"
      : zygote
        ? said === "zygote"
          ? "zygote"
          : "spawn for the first hooks, then a zygote"
        : `spawn: a zygote needs Linux and ${ZYGOTE_PROGRAM}`;
  const shell = process.platform === "win32" ? "" : `; /bin/sh is ${realOf("/bin/sh")}`;
  return { health: said === "zygote" && !zygote ? "odd" : "fine", text: `${how}${shell}` };
}

function daemon({ surface: { env } }: Patient): Finding {
  if (process.platform !== "linux") return { health: "off", text: "needs Linux; snaphook-hook works without it" };
  const info = findDaemon(placeOf(env));
  if (!info) return { health: "off", text: "not running: `snaphook daemon start` makes hook calls faster" };
  const other = info.version !== VERSION || info.node !== process.versions.node;
  const text = `process ${info.pid}, Snaphook ${info.version}, Node ${info.node}`;
  return { health: other ? "odd" : "fine", text: other ? `${text}: not this one, which it does not serve; \`snaphook daemon stop\` ends it` : text };
}

/** A larger log takes seconds to check: then it is only named. */
const CHECKED_BYTES = 64 * 1024 * 1024;

function audit({ surface, engine }: Patient): Finding {
  const { folder, required } = auditPlace(surface);
  const demanded = required || engine.configuration.authority.auditRequired !== null;
  const must = demanded ? ", required" : "";
  if (folder === null) return { health: demanded ? "bad" : "off", text: `no record is kept (SNAPHOOK_AUDIT=off)${must}` };
  if (folder === "") return { health: "bad", text: "there is no home folder to keep it in; SNAPHOOK_AUDIT names another" };
  try {
    return logFinding(folder, must);
  } catch (error) {
    return { health: "bad", text: `${folder} can't be read${must}: ${messageOf(error)}` };
  }
}

function logFinding(folder: string, must: string): Finding {
  const lanes = listLanes(folder);
  if (lanes.length === 0) return { health: "fine", text: `${folder}: no records yet${must}` };
  const bytes = lanes.flatMap(({ lane, segments }) =>
    segments.map((segment) => statSync(segmentPath(folder, lane, segment), { throwIfNoEntry: false })?.size ?? 0),
  );
  const size = bytes.reduce((sum, each) => sum + each, 0);
  const last = lastEntries(folder, 1).at(-1)?.record.at;
  const since = last === undefined ? "" : `, the last on ${day(last)}`;
  if (size > CHECKED_BYTES)
    return { health: "fine", text: `${folder}: ${numberText(Math.round(size / 1_048_576))} MiB${since}${must}; \`snaphook audit verify\` checks it` };
  const { ok, records, problems } = verify(folder);
  const [first] = problems;
  const text = `${folder}: ${numberText(records)} records${since}${must}${ok ? ", each as it was written" : ""}`;
  return ok ? { health: "fine", text } : { health: "bad", text, more: [`${first?.file}:${first?.line}  ${first?.message}`] };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
