import type { Scene } from "../../../src/permissions/scene.ts";
import { commandMatch, isHoled, strongest, type Answer } from "./globs.ts";
import { lexical, pathMatch } from "./paths.ts";
import { CHANGERS, FILES, FILE_TAKES, GIT_TAKES, LONG_FLAGS, POWER_NAMES, SAFE_NAMES, STARTERS } from "./tables.ts";
import type { Target } from "./facts.ts";
import type { Deep, Started } from "./unwrap.ts";
import { HOLE, type Word } from "./words.ts";

interface ShellRule {
  readonly tool: string;
  readonly pattern: string | null;
}

/** More spreading words than this are one hole together. */
const SPREAD_LIMIT = 5;
const FOLDER_LIMIT = 32;

/** Whether a deny or ask rule speaks of anything that the text runs, reads or writes. */
export function speaksOf(rule: ShellRule, deep: Deep, scene: Scene): Answer {
  const use = rule.tool === "read" ? "read" : rule.tool === "write" || rule.tool === "edit" ? "write" : undefined;
  if (rule.tool !== "shell" && use === undefined) return "no";
  if (rule.tool === "shell" && (rule.pattern === null || rule.pattern === "*")) return "yes";
  const unsure: Answer = deep.doubts.length > 0 || deep.opaque.length > 0 || deep.unparsed ? "maybe" : "no";
  const pattern = rule.pattern ?? "*";
  if (use === undefined) return strongest([unsure, ...deep.commands.map((command) => denied(pattern, command, scene))]);
  const touched = [...deep.targets, ...deep.commands.flatMap(filesOf)].filter(
    (target) => target.use === use && target.word.text !== "/dev/null" && target.word.text !== "-",
  );
  return strongest([unsure, ...touched.map((target) => touches(pattern, target, deep, scene))]);
}

function touches(pattern: string, target: Target, deep: Deep, scene: Scene): Answer {
  const { word } = target;
  if (/^[/~]/.test(word.text)) return pathMatch(pattern, pathText(word), scene, "deny");
  const places = folders(deep, scene, target);
  return places === undefined ? "maybe" : strongest(places.map((cwd) => pathMatch(pattern, pathText(word), { ...scene, cwd }, "deny")));
}

/** What these start runs in the same shell. */
const SAME_SHELL = ["command", "builtin", "eval", "trap"];

/** Every folder the shell may stand in: any of its `cd` may fail or be skipped; undefined when one is not known. */
function folders(deep: Deep, scene: Scene, target: Target): readonly string[] | undefined {
  let places = [scene.cwd];
  for (const { words, scope, loop, order, parent, certainIn } of deep.commands) {
    if (parent && parent.scope === scope && !SAME_SHELL.includes(parent.words[0]?.text ?? "")) continue;
    if ((words[0]?.text !== "cd" && words[0]?.text !== "pushd") || !target.scope.startsWith(scope)) continue;
    if (order > target.order && (loop === "" || loop !== target.loop)) continue;
    const step = words.slice(1).find(({ text }) => !/^-[A-Za-z]|^--$/.test(text))?.text ?? scene.home;
    if (isHoled(step) || places.length > FOLDER_LIMIT) return undefined;
    if (step === "-") continue;
    const moved = places.map((cwd) => lexical(step, { cwd, home: scene.home }));
    const surely = certainIn !== undefined && target.trail.some(({ script, at }) => script === certainIn.script && at >= certainIn.from && at < certainIn.to);
    places = surely ? moved : [...places, ...moved];
  }
  return places;
}

/** What no allow rule covers; undefined when everything is covered. */
export function covers(allows: readonly ShellRule[], deep: Deep, scene: Scene): string | undefined {
  if (deep.unparsed) return "a text this parser can't read";
  if (deep.doubts.length > 0) return deep.doubts[0];
  if (deep.loose.length > 0) return deep.loose[0];
  if (deep.commands.length === 0) return "no command";
  const name = deep.assigned.find((one) => POWER_NAMES.test(one));
  if (name !== undefined) return `the assignment of ${name}`;
  for (const command of deep.commands) {
    const wrong = command.assigned.find((one) => !SAFE_NAMES.test(one));
    if (wrong !== undefined) return `the assignment of ${wrong}`;
    if (command.role !== "clear-wrapper" && !allowed(allows, command) && !startedExactly(allows, command)) return command.source;
  }
  const writes = deep.targets.filter(({ use, word }) => use === "write" && word.text !== "/dev/null");
  return writes.find(({ word }) => !mayWrite(allows, word, scene))?.word.raw;
}

/** What an exact rule starts was seen by its owner. */
function startedExactly(allows: readonly ShellRule[], command: Started): boolean {
  for (let one = command.parent; one; one = one.parent) if (allows.some(({ tool, pattern }) => tool === "shell" && pattern === one.source)) return true;
  return false;
}

function mayWrite(allows: readonly ShellRule[], word: Word, scene: Scene): boolean {
  if (allows.some((rule) => rule.tool === "write" && (rule.pattern === null || rule.pattern === "*"))) return true;
  if (isHoled(word.text) || word.spreads) return false;
  if (scene.mode === "acceptEdits" || scene.mode === "bypassPermissions") return true;
  return allows.some((rule) => rule.tool === "write" && pathMatch(rule.pattern ?? "*", pathText(word), scene, "allow") === "yes");
}

/** The allow side takes the program as it is written, and only as bash would find it by that name. */
function allowed(allows: readonly ShellRule[], command: Started): boolean {
  const program = command.words[0];
  if (program === undefined || program.spreads || isHoled(program.text) || /\s/.test(program.text)) return false;
  const changes = CHANGERS.includes(program.text);
  const texts = [join(command.words), command.source, command.words.map(({ raw }) => raw).join(" ")];
  return allows.some(
    ({ tool, pattern }) => tool === "shell" && pattern !== null && texts.some((text) => commandMatch(pattern, text) === "yes") && !(changes && pattern === "*"),
  );
}

function denied(pattern: string, command: Started, { platform }: Scene): Answer {
  const [program, ...rest] = command.words;
  if (program === undefined) return "no";
  const bare = { ...program, text: program.text.split("/").at(-1) ?? "" };
  const texts = [...variants(command.words), ...variants([bare, ...rest]), command.source];
  const fold = (text: string): string => (platform === "posix" ? text : text.toLowerCase());
  const answers = texts.map((text) => commandMatch(fold(pattern), fold(text)));
  const unsure =
    command.words.some(isOnlyHole) &&
    !answers.slice(-1).includes("yes") &&
    commandMatch(fold(pattern), fold(join(command.words))) !== "yes" &&
    commandMatch(fold(pattern), fold(join([bare, ...rest]))) !== "yes";
  // A match that needs a word to vanish is not certain.
  const best = strongest(answers);
  return strongest([best === "yes" && unsure ? "maybe" : best, sameFlags(pattern, [bare, ...rest])]);
}

/** The texts that a list of words may become: a word that spreads may vanish. */
function variants(words: readonly Word[]): readonly string[] {
  const spreading = words.filter((word, index) => index > 0 && isOnlyHole(word)).length;
  if (spreading === 0) return [join(words)];
  if (spreading > SPREAD_LIMIT) return [`${words[0]?.text ?? ""} ${HOLE}`, words[0]?.text ?? ""];
  return words.reduce<readonly string[]>(
    (texts, word, index) => texts.flatMap((text) => (index === 0 ? [word.text] : isOnlyHole(word) ? [text, `${text} ${word.text}`] : [`${text} ${word.text}`])),
    [""],
  );
}

function isOnlyHole(word: Word): boolean {
  return word.spreads && word.text.replaceAll(HOLE, "") === "";
}

function join(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(" ");
}

/** The same program with the same flags in another order or grouping may be what the rule means. */
function sameFlags(pattern: string, words: readonly Word[]): Answer {
  const [program = "", ...wanted] = pattern
    .replace(/(?: \*|:\*|\*)$/, "")
    .split(/\s+/)
    .filter((part) => part !== "");
  if (
    program !== words[0]?.text ||
    program.includes("*") ||
    Object.hasOwn(STARTERS, program) ||
    wanted.length === 0 ||
    wanted.some((part) => part.includes("*"))
  )
    return "no";
  if (program === "git" && GIT_TAKES.includes(wanted[0] ?? "")) return "no";
  const open = pattern.endsWith("*");
  const rule = split(program, wanted);
  const used = split(
    program,
    words.slice(1).map(({ text }) => text),
  );
  if (rule.flags.size + rule.operands.length === 0) return "no";
  if (![...rule.flags].every((flag) => used.flags.has(flag))) return "no";
  if (!rule.operands.every((operand, index) => operand === used.operands[index])) return "no";
  return open || (rule.operands.length === used.operands.length && rule.flags.size === used.flags.size) ? "maybe" : "no";
}

function split(program: string, texts: readonly string[]): { readonly flags: ReadonlySet<string>; readonly operands: readonly string[] } {
  const flags = new Set<string>();
  const operands: string[] = [];
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    const same = Object.hasOwn(LONG_FLAGS, program) ? LONG_FLAGS[program]?.[text] : undefined;
    if (program === "git" && operands.length === 0 && GIT_TAKES.includes(text)) at += 1;
    else if (text === "--") continue;
    else if (same !== undefined) flags.add(same);
    else if (/^-[A-Za-z]+$/.test(text)) for (const letter of text.slice(1)) flags.add(letter);
    else if (text.startsWith("-") && text.length > 1) flags.add(text);
    else operands.push(text);
  }
  return { flags, operands };
}

/** The files that a program's operands name, by table. */
function filesOf(command: Started): readonly Target[] {
  const [program, ...rest] = command.words;
  const name = program?.text.split("/").at(-1) ?? "";
  const row = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (row === undefined) return [];
  const takes = (Object.hasOwn(FILE_TAKES, name) ? (FILE_TAKES[name] ?? "") : "").split(" ").filter((flag) => flag !== "");
  const operands = rest.filter((word, index) => !(word.text.startsWith("-") && word.text !== "-") && !takes.includes(rest[index - 1]?.text ?? ""));
  const read = row.read === "all" ? operands : row.read === "but-last" ? operands.slice(0, -1) : row.read === "but-first" ? operands.slice(1) : [];
  const write = row.write === "all" ? operands : row.write === "last" && operands.length > 1 ? operands.slice(-1) : [];
  return [
    ...read.map((word): Target => ({ use: "read", word, scope: command.scope, loop: command.loop, order: command.order, trail: command.trail })),
    ...write.map((word): Target => ({ use: "write", word, scope: command.scope, loop: command.loop, order: command.order, trail: command.trail })),
  ];
}

/** A quoted tilde is a name, not the home folder. */
function pathText(word: Word): string {
  return word.text.startsWith("~") && !word.raw.startsWith("~") ? `./${word.text}` : word.text;
}
