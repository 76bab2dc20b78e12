import { own } from "../lib/json.ts";
import type { Rule } from "../model/rule.ts";
import type { ToolCall } from "../model/tools.ts";
import { coverShell, type Cover } from "./cover.ts";
import { concernsWord, findCommands, mayFindCommands } from "./command-index.ts";
import { SILENCE, speak, type Findings, type Said } from "./findings.ts";
import { findByFlags } from "./flag-index.ts";
import { hasHole } from "./holes.ts";
import { hearFile, type FileQuestion } from "./judge-file.ts";
import { hearName } from "./judge-other.ts";
import type { Doubt, JudgedCommand } from "./judgement.ts";
import { MODE_TABLE } from "./modes.ts";
import { DEVICES, NOWHERE, allPlaces, placeUses, resolveToken, type PlacedUse } from "./places.ts";
import type { CompiledRule, PolicyTable, RuleSet } from "./policy-table.ts";
import { protectedBy } from "./protected.ts";
import type { Policy } from "./rules.ts";
import type { Scene } from "./scene.ts";
import { commandTexts } from "./shell/normalise.ts";
import { DOUBTS } from "./shell/doubts.ts";
import { readShell } from "./shell/read.ts";
import type { FileUse, Reading, ShellDoubt, Token, Unit } from "./shell/tree.ts";
import { betweenColons, perhapsPath } from "./shell/uses.ts";

/** Judges a shell command by every command, file and unresolved construct in it. */
export function judgeShell(call: ToolCall, policy: Policy, scene: Scene): Findings {
  const command = own(call.input, "command");
  const text = typeof command === "string" ? command : undefined;
  const reading = text === undefined ? NOT_TEXT : read(text, scene);
  const placed = placeUses(reading.uses, scene);
  const heard = hearShell(text ?? "", reading, placed, policy, scene);
  const cover = coverShell(text, reading, placed, policy, scene);
  return {
    deny: heard.said.deny ?? SILENCE,
    ask: heard.said.ask ?? SILENCE,
    allow: cover.rule,
    // Who bypasses permissions has handed the shell over, its writes included; file tools still ask.
    protects: scene.mode === "bypassPermissions" ? undefined : protectedUse(placed, scene),
    commands: judged(reading, text ?? "", heard, cover, scene),
    doubts: reading.doubts.length === 0 ? NO_DOUBTS : reading.doubts.map(explain),
  };
}

/** Rules that spoke about a shell text, in all and for each command or file. */
interface Heard {
  readonly said: { deny: Said; ask: Said };
  units: Map<Unit | FileUse, { readonly rule: CompiledRule; readonly match: "yes" | "maybe" }> | undefined;
}

const NO_DOUBTS: readonly Doubt[] = [];
const NOT_TEXT: Reading = { units: [], uses: [], doubts: [{ kind: "not-text", start: 0, end: 0, detail: "", unit: undefined }], pipelines: [] };

/** Reads the text as the scene's shell would. */
function read(text: string, scene: Scene): Reading {
  const reading = readShell(text, { foldCase: scene.platform !== "posix", now: scene.now });
  if (scene.shell !== "other") return reading;
  return { ...reading, doubts: [...reading.doubts, { kind: "other-shell", start: 0, end: text.length, detail: "", unit: undefined }] };
}

function hearShell(text: string, reading: Reading, placed: readonly PlacedUse[], policy: Policy, scene: Scene): Heard {
  const heard: Heard = { said: { deny: undefined, ask: undefined }, units: undefined };
  for (const table of policy.tables) {
    hearVerdict(text, reading, { table, verdict: "deny", scene, placed, heard });
    hearVerdict(text, reading, { table, verdict: "ask", scene, placed, heard });
  }
  return heard;
}

/** One list of rules on its way through a text. */
interface Hearing {
  readonly table: PolicyTable;
  readonly verdict: "deny" | "ask";
  readonly scene: Scene;
  readonly placed: readonly PlacedUse[];
  readonly heard: Heard;
}

function hearVerdict(text: string, reading: Reading, hearing: Hearing): void {
  const {
    table,
    verdict,
    heard: { said },
  } = hearing;
  const rules = table[verdict];
  said[verdict] = hearName(rules, "shell", said[verdict]);
  const concern = rules.shellConcern;
  if (concern === undefined) return;
  if (reading.doubts.some(({ kind }) => DOUBTS[kind].deny)) said[verdict] = speak(said[verdict], concern, "maybe");
  const set = rules.tools.get("shell");
  if (set && set.patterned.length > 0) {
    for (const unit of reading.units) hearUnit(unit, set, hearing);
    if (set.operators.size > 0) hearOperators(text, reading, set, hearing);
  }
  const reads = rules.tools.has("read");
  if (reads || rules.tools.has("write") || rules.tools.has("edit")) for (const use of hearing.placed) hearUse(use, hearing);
  if (reads) for (const unit of reading.units) hearNamed(unit, hearing);
}

function note({ heard, verdict }: Hearing, subject: Unit | FileUse, rule: CompiledRule, match: "yes" | "maybe"): void {
  heard.said[verdict] = speak(heard.said[verdict], rule, match);
  heard.units ??= new Map();
  const known = heard.units.get(subject);
  if (known === undefined || (known.match === "maybe" && match === "yes")) heard.units.set(subject, { rule, match });
}

/** Tests one command in every form that a deny must see through. */
function hearUnit(unit: Unit, set: RuleSet, hearing: Hearing): void {
  const { program } = unit;
  if (program === undefined) return;
  if (!set.flags.has(program) && !concernsWord(set.texts, program) && isPlain(unit, program)) return;
  const sure = unit.certain ? "yes" : "maybe";
  const texts = commandTexts(unit, program);
  for (const text of texts.certain) findCommands(set.texts, text, (rule) => note(hearing, unit, rule, sure));
  for (const text of texts.possible) mayFindCommands(set.texts, text, (rule) => note(hearing, unit, rule, "maybe"));
  if (set.flags.has(program)) findByFlags(set.flags, program, unit.tokens, (rule) => note(hearing, unit, rule, "maybe"));
}

/** Plainly written, every form of a command begins with the program. */
function isPlain({ tokens, assigns }: Unit, program: string): boolean {
  if (assigns.length > 0 || tokens[0]?.raw !== program) return false;
  for (const token of tokens) if (token.dynamic) return false;
  return true;
}

/** Patterns that hold an operator, on the whole text and on each pipeline. */
function hearOperators(text: string, reading: Reading, set: RuleSet, { heard: { said }, verdict }: Hearing): void {
  const found = (rule: CompiledRule): void => void (said[verdict] = speak(said[verdict], rule, "yes"));
  findCommands(set.operators, text.trim(), found);
  const perhaps = (rule: CompiledRule): void => void (said[verdict] = speak(said[verdict], rule, "maybe"));
  for (const pipeline of reading.pipelines) {
    const whole = pipeline();
    findCommands(set.operators, whole, found);
    if (hasHole(whole)) mayFindCommands(set.operators, whole, perhaps);
  }
}

function hearUse({ use, paths, anywhere }: PlacedUse, hearing: Hearing): void {
  const { table, verdict, scene } = hearing;
  if (table[verdict].aboutFiles[use.access].length === 0) return;
  const question: FileQuestion = { table, verdict, tool: use.access, recursive: use.recursive, scene };
  let said: Said;
  for (const path of paths) said = hearFile(question, path, said);
  if (said === undefined) return;
  const sure = use.certain && !anywhere && paths.length === 1;
  for (const [rule, match] of said) note(hearing, use, rule, sure ? match : "maybe");
}

/** Words of a program in no table may be files it reads. */
function hearNamed(unit: Unit, hearing: Hearing): void {
  if (unit.tokens.length < 2 || unit.known?.mayNameFiles === false) return;
  const places = allPlaces(unit.places, hearing.scene) ?? NOWHERE;
  for (let at = 1; at < unit.tokens.length; at += 1) {
    const token = perhapsPath(unit.tokens[at]);
    if (token === undefined || DEVICES.has(token.value)) continue;
    hearPerhaps(token, places, hearing);
    for (const part of betweenColons(token)) hearPerhaps(part, places, hearing);
  }
}

function hearPerhaps(token: Token, places: readonly (string | undefined)[], { table, verdict, scene, heard }: Hearing): void {
  const question: FileQuestion = { table, verdict, tool: "read", recursive: false, scene };
  for (const cwd of places) {
    const said = hearFile(question, resolveToken(token, cwd, scene), undefined);
    for (const rule of said?.keys() ?? NOBODY) heard.said[verdict] = speak(heard.said[verdict], rule, "maybe");
  }
}

const NOBODY: readonly CompiledRule[] = [];

/** What the first protected file that is written for certain configures. */
function protectedUse(placed: readonly PlacedUse[], scene: Scene): string | undefined {
  for (const { use, paths, anywhere } of placed) {
    if (use.access !== "write") continue;
    for (const path of anywhere ? [resolveToken(use.token, scene.cwd, scene)] : paths) {
      const what = path && protectedBy(path, scene);
      if (what !== undefined) return what;
    }
  }
  return undefined;
}

/** A doubt in words. */
function explain({ kind, start, end, detail }: ShellDoubt): Doubt {
  const { construct, why, advice } = DOUBTS[kind];
  const shown = detail === "" || detail.length > 80 ? construct : `${construct}, ${detail}`;
  return { construct: shown, start, end, why, advice };
}

function judged(reading: Reading, text: string, { units }: Heard, cover: Cover, scene: Scene): readonly JudgedCommand[] {
  const byMode = MODE_TABLE[scene.mode].shell;
  const commands: JudgedCommand[] = [];
  for (const unit of reading.units) {
    const said = units?.get(unit);
    if (!unit.certain && said === undefined) continue;
    const covering = said ? undefined : cover.units.get(unit);
    const { start, end, kind } = unit;
    const shown = kind === "command" ? text.slice(start, end) : unit.raw;
    commands.push(judgedPart({ text: shown, start, end, kind, verdict: covering ? "allow" : byMode }, said, covering));
  }
  for (const use of reading.uses) {
    const said = units?.get(use);
    if (use.source === "argument" && !said) continue;
    const { start, end } = use;
    const redirect = use.source === "redirect";
    const shown = redirect ? text.slice(start, end) : use.token.raw;
    commands.push(
      judgedPart(
        { text: shown, start, end, kind: redirect ? "redirect" : use.access, verdict: cover.open?.has(use) === false ? "allow" : byMode },
        said,
        undefined,
      ),
    );
  }
  return commands;
}

/** A part with the rule that spoke about it, or the one that covers it. */
function judgedPart(
  part: JudgedCommand,
  said: { readonly rule: CompiledRule; readonly match: "yes" | "maybe" } | undefined,
  covering: Rule | undefined,
): JudgedCommand {
  const { text, start, end, kind, verdict } = part;
  if (said?.match === "maybe") return { text, start, end, kind, verdict: "ask", rule: said.rule.rule, note: "may match" };
  if (said) return { text, start, end, kind, verdict: said.rule.rule.verdict, rule: said.rule.rule };
  return covering ? { text, start, end, kind, verdict, rule: covering } : part;
}
