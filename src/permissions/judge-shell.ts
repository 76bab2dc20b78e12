import { own } from "../lib/json.ts";
import type { ToolCall } from "../model/tools.ts";
import { DEVICES, allowedCommand, coverShell, type Cover } from "./cover.ts";
import { findCommands, mayFindCommands } from "./command-index.ts";
import { speak, type Findings } from "./findings.ts";
import { findByFlags } from "./flag-index.ts";
import { concernsFile, hearFile } from "./judge-file.ts";
import { hearName, setFor } from "./judge-other.ts";
import type { Doubt, JudgedCommand } from "./judgement.ts";
import { MODE_TABLE } from "./modes.ts";
import { allPlaces, resolveUse } from "./places.ts";
import type { CompiledRule, PolicyTable } from "./policy-table.ts";
import { protectedBy } from "./protected.ts";
import type { Policy } from "./rules.ts";
import type { Scene } from "./scene.ts";
import { commandTexts } from "./shell/normalise.ts";
import { DOUBTS } from "./shell/doubts.ts";
import { programOf, readShell } from "./shell/read.ts";
import type { FileUse, Reading, ShellDoubt, Unit } from "./shell/tree.ts";
import { namedFiles } from "./shell/uses.ts";

type Said = Map<CompiledRule, "yes" | "maybe">;

/** Judges a shell command by every command, file and unresolved construct in it. */
export function judgeShell(call: ToolCall, policy: Policy, scene: Scene): Findings {
  const text = own(call.input, "command");
  const reading = typeof text === "string" ? read(text, scene) : NOT_TEXT;
  const heard = hearShell(typeof text === "string" ? text : "", reading, policy, scene);
  const cover = coverShell(typeof text === "string" ? text : undefined, reading, policy, scene);
  const doubts = reading.doubts.length === 0 ? NO_DOUBTS : reading.doubts.map(explain);
  return {
    deny: heard.deny,
    ask: heard.ask,
    allow: cover.rule,
    // Who bypasses permissions has handed the shell over, its writes included; file tools still ask.
    protects: scene.mode === "bypassPermissions" ? undefined : protectedUse(reading, scene),
    commands: judged(reading, typeof text === "string" ? text : "", heard, cover, scene),
    doubts,
  };
}

/** What deny and ask rules say about a shell text; the engine of conditions as well. */
export function hearShell(text: string, reading: Reading, policy: Policy, scene: Scene): Heard {
  const heard: Heard = { deny: new Map(), ask: new Map(), units: new Map() };
  for (const table of policy.tables) {
    hearVerdict(text, reading, table, "deny", scene, heard);
    hearVerdict(text, reading, table, "ask", scene, heard);
  }
  return heard;
}

/** Rules that spoke about a shell text, in all and for each command or file. */
export interface Heard {
  readonly deny: Said;
  readonly ask: Said;
  readonly units: Map<Unit | FileUse, { readonly rule: CompiledRule; readonly match: "yes" | "maybe" }>;
}

const NO_DOUBTS: readonly Doubt[] = [];
const NOT_TEXT: Reading = { units: [], uses: [], doubts: [{ kind: "not-text", start: 0, end: 0, detail: "", unit: undefined }], pipelines: [] };

/** Reads the text as the scene's shell would. */
export function read(text: string, scene: Scene): Reading {
  const reading = readShell(text, { foldCase: scene.platform !== "posix", now: scene.now });
  if (scene.shell !== "other") return reading;
  return { ...reading, doubts: [...reading.doubts, { kind: "other-shell", start: 0, end: text.length, detail: "", unit: undefined }] };
}

function hearVerdict(text: string, reading: Reading, table: PolicyTable, verdict: "deny" | "ask", scene: Scene, heard: Heard): void {
  const rules = table[verdict];
  if (rules.tools.size === 0 && rules.globs.length === 0) return;
  const voices = heard[verdict];
  hearName(rules, "shell", voices);
  const concern = rules.shellConcern;
  if (concern && reading.doubts.some(({ kind }) => DOUBTS[kind].deny)) speak(voices, concern, "maybe");
  const set = setFor(rules, "shell");
  if (set.patterned.length > 0) {
    for (const unit of reading.units) hearUnit(unit, set, scene, (rule, match) => note(heard, voices, unit, rule, match));
    if (set.operators.size > 0) {
      for (const whole of [text.trim(), ...reading.pipelines]) findCommands(set.operators, whole, (rule) => speak(voices, rule, "yes"));
    }
  }
  if (!hasFileRules(table, verdict)) return;
  for (const use of reading.uses) hearUse(use, table, verdict, scene, (rule, match) => note(heard, voices, use, rule, match));
  if (!table[verdict].tools.has("read")) return;
  for (const unit of reading.units) {
    for (const use of namedFiles(programOf(unit, scene.platform !== "posix") ?? "", unit)) hearUse(use, table, verdict, scene, (rule, match) => note(heard, voices, use, rule, match));
  }
}

function note(heard: Heard, voices: Said, subject: Unit | FileUse, rule: CompiledRule, match: "yes" | "maybe"): void {
  speak(voices, rule, match);
  const known = heard.units.get(subject);
  if (known === undefined || (known.match === "maybe" && match === "yes")) heard.units.set(subject, { rule, match });
}

function hasFileRules(table: PolicyTable, verdict: "deny" | "ask"): boolean {
  const { tools } = table[verdict];
  return tools.has("read") || tools.has("write") || tools.has("edit");
}

/** Tests one command in every form that a deny must see through. */
function hearUnit(unit: Unit, set: ReturnType<typeof setFor>, scene: Scene, found: (rule: CompiledRule, match: "yes" | "maybe") => void): void {
  const program = programOf(unit, scene.platform !== "posix");
  if (program === undefined) return;
  const sure = unit.certain ? "yes" : "maybe";
  const texts = commandTexts(unit, program);
  for (const text of texts.certain) findCommands(set.texts, text, (rule) => found(rule, sure));
  for (const text of texts.possible) mayFindCommands(set.texts, text, (rule) => found(rule, "maybe"));
  if (set.flags.has(program)) findByFlags(set.flags, program, unit.tokens.slice(1).map((token) => token.value), (rule) => found(rule, "maybe"));
}

function hearUse(use: FileUse, table: PolicyTable, verdict: "deny" | "ask", scene: Scene, found: (rule: CompiledRule, match: "yes" | "maybe") => void): void {
  if (DEVICES.has(use.token.value) || !concernsFile(table[verdict], use.access)) return;
  const places = allPlaces(use.places, scene);
  const said: Said = new Map();
  const tool = use.access;
  for (const cwd of places ?? NOWHERE) hearFile({ table, verdict, tool, path: resolveUse(use, cwd, scene), recursive: use.recursive, scene }, said);
  if (said.size === 0) return;
  const sure = use.certain && places?.length === 1;
  for (const [rule, match] of said) found(rule, sure ? match : "maybe");
}

const NOWHERE: readonly undefined[] = [undefined];

/** What the first protected file that is written for certain configures. */
function protectedUse(reading: Reading, scene: Scene): string | undefined {
  for (const use of reading.uses) {
    if (use.access !== "write" || DEVICES.has(use.token.value)) continue;
    for (const cwd of allPlaces(use.places, scene) ?? [scene.cwd]) {
      const path = resolveUse(use, cwd, scene);
      const what = path && protectedBy(path, scene);
      if (what !== undefined) return what;
    }
  }
  return undefined;
}

/** A doubt in words. */
export function explain({ kind, start, end, detail }: ShellDoubt): Doubt {
  const { construct, why, advice } = DOUBTS[kind];
  const shown = detail === "" || detail.length > 80 ? construct : `${construct}, ${detail}`;
  return { construct: shown, start, end, why, advice };
}

function judged(reading: Reading, text: string, heard: Heard, cover: Cover, scene: Scene): readonly JudgedCommand[] {
  const byMode = MODE_TABLE[scene.mode].shell;
  const commands: JudgedCommand[] = [];
  for (const unit of reading.units) {
    if (!unit.certain && !heard.units.has(unit)) continue;
    const said = heard.units.get(unit);
    const covering = said ? undefined : allowedCommand(unit, cover);
    const strict = said && (said.match === "yes" ? said.rule.rule.verdict : "ask");
    const rule = said?.rule.rule ?? covering;
    commands.push({
      text: unit.kind === "command" ? text.slice(unit.start, unit.end) : unit.raw,
      start: unit.start, end: unit.end, kind: unit.kind,
      verdict: strict ?? (covering ? "allow" : byMode),
      ...(rule ? { rule } : {}),
      ...(said?.match === "maybe" ? { note: "may match" } : {}),
    });
  }
  for (const use of reading.uses) {
    const said = heard.units.get(use);
    if (use.source === "argument" && !said) continue;
    const strict = said && (said.match === "yes" ? said.rule.rule.verdict : "ask");
    commands.push({
      text: use.source === "redirect" ? text.slice(use.start, use.end) : use.token.raw,
      start: use.start, end: use.end, kind: use.source === "redirect" ? "redirect" : use.access,
      verdict: strict ?? (cover.files.has(use) ? "allow" : byMode),
      ...(said ? { rule: said.rule.rule } : {}),
      ...(said?.match === "maybe" ? { note: "may match" } : {}),
    });
  }
  return commands;
}
