import { readScript, type Command, type Facts } from "./facts.ts";
import { FIND_STARTS, INTERPRETERS, SHELLS, STARTERS, type Starter } from "./tables.ts";
import { isHoled } from "./globs.ts";
import { BELOW, HOLE, type Word } from "./words.ts";

const DEPTH_LIMIT = 12;

/** A command with what it starts: the allow side asks whether a wrapper may be looked through. */
export interface Started extends Command {
  /** The command that starts it. */
  readonly parent?: Started;
  readonly role: "plain" | "wrapper" | "clear-wrapper";
}

/** Everything that runs, wrapped and nested texts included. */
export interface Deep extends Omit<Facts, "commands"> {
  readonly commands: Started[];
}

/** Reads a script, and whatever its commands start in turn. */
export function readDeep(text: string, depth = 0, parent?: Started): Deep {
  const facts = readScript(text, parent);
  const deep: Deep = { ...facts, commands: [] };
  for (const command of facts.commands) unwrap({ ...command, ...(parent ? { parent } : {}) }, deep, depth);
  if (facts.commands.length === 0 && facts.assigned.length === 0 && facts.targets.length === 0 && text.replaceAll(/#[^\n]*/g, "").trim() !== "")
    deep.loose.push("no command was found");
  return deep;
}

function unwrap(command: Command & { readonly parent?: Started }, deep: Deep, depth: number): void {
  const program = base(command.words[0]);
  if (command.words.length === 0) return;
  if (depth > DEPTH_LIMIT) return void deep.doubts.push("nesting beyond the limit");
  if (isHoled(program) || command.words[0]?.spreads) deep.doubts.push("a program known only at run time");
  const starter = Object.hasOwn(STARTERS, program) ? STARTERS[program] : undefined;
  const role = starter ? (starter.clear ? "clear-wrapper" : "wrapper") : SHELLS.includes(program) ? "wrapper" : "plain";
  const known: Started = { ...command, role };
  deep.commands.push(known);
  if (starter) return start(known, starter, deep, depth);
  if (SHELLS.includes(program)) return shell(known, deep, depth);
  if (program === "find") return finds(known, deep, depth);
  if (program === "trap" || program === "alias") return quoted(known, deep, depth);
  if (Object.hasOwn(INTERPRETERS, program)) return interprets(command, INTERPRETERS[program] ?? "", deep);
  if (program === "source" || program === ".") deep.doubts.push("a file of commands");
}

function start(command: Started, row: Starter, deep: Deep, depth: number): void {
  const takes = row.takes.split(" ");
  const scripts = (row.script ?? "").split(" ");
  const only = (row.only ?? "").split(" ");
  const program = base(command.words[0]);
  let at = 1;
  let before = row.before ?? 0;
  for (; at < command.words.length; at += 1) {
    const word = command.words[at];
    const text = word?.text ?? "";
    if (/^\w+(?:\[[^\]]*\])?\+?=/.test(word?.raw ?? "") && (row.assigns || program === "time")) continue;
    if (isHoled(text[0] ?? "") && before === 0) deep.doubts.push("options known only at run time");
    if (row.script && scripts.includes(text))
      return nested(command.words.slice(at + 1, row.takes.includes("--unset") ? undefined : at + 2), deep, depth, command);
    if (row.script && scripts.some((one) => one.startsWith("--") && text.startsWith(`${one}=`)))
      return nested([{ raw: "", text: text.slice(text.indexOf("=") + 1), spreads: false, plain: false }], deep, depth, command);
    if (row.script?.startsWith("-S") && /^-[iv0]*S./.test(text))
      return nested([{ raw: "", text: text.replace(/^-[iv0]*S/, ""), spreads: false, plain: false }, ...command.words.slice(at + 1)], deep, depth, command);
    if (only.includes(text)) return;
    if (text === "--" || text === "-") continue;
    if (text.startsWith("-") && text.length > 1) {
      if (takes.includes(text) || (/^-[A-Za-z]{2,}$/.test(text) && takes.includes(`-${text.at(-1)}`) && !takes.includes(`-${text[1]}`))) at += 1;
      continue;
    }
    if (/^[^\s=/]+=/.test(text) && !row.joins && row.assigns) continue;
    if (before === 0) break;
    before -= 1;
    if (row.script && scripts.includes(command.words[at + 1]?.text ?? "")) continue;
  }
  const rest = command.words.slice(at);
  if (rest.length === 0) return row.shell ? void deep.doubts.push("a shell that reads its input") : undefined;
  if (row.joins) return nested(rest, deep, depth, command);
  unwrap(
    {
      words: rest,
      assigned: [],
      source: rest.map(({ raw }) => raw).join(" "),
      scope: command.scope,
      loop: command.loop,
      order: command.order,
      trail: command.trail,
      parent: command,
    },
    deep,
    depth + 1,
  );
}

function shell(command: Started, deep: Deep, depth: number): void {
  for (let at = 1; at < command.words.length; at += 1) {
    const text = command.words[at]?.text ?? "";
    if (isHoled(text)) return void deep.doubts.push("a shell with unknown options");
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text)) {
      let script = at + 1;
      while (/^[-+]/.test(command.words[script]?.text ?? "")) script += ["-o", "+o", "-O", "+O"].includes(command.words[script]?.text ?? "") ? 2 : 1;
      return nested(command.words.slice(script, script + 1), deep, depth, command);
    }
    if (["-o", "+o", "-O", "+O", "--rcfile", "--init-file"].includes(text)) at += 1;
    else if (text === "--version" || text === "--help") return;
    else if (/^[-+]/.test(text) && !/^(?:[-+][A-Za-z]*|--[a-z-]+)$/.test(text)) return;
    else if (!/^[-+]/.test(text)) break;
  }
  deep.doubts.push("a shell that reads a file or its input");
}

function finds(command: Started, deep: Deep, depth: number): void {
  const { words } = command;
  const roots = words.slice(
    1,
    Math.max(
      1,
      words.findIndex(({ text }) => text.startsWith("-")),
    ),
  );
  const top = roots.length === 0 ? "." : roots.length === 1 ? (roots[0]?.text ?? HOLE) : HOLE;
  for (let at = 1; at < words.length; at += 1) {
    if (!FIND_STARTS.includes(words[at]?.text ?? "")) continue;
    const end = words.findIndex((word, index) => index > at && (word.text === ";" || (word.text === "+" && words[index - 1]?.text === "{}")));
    const inner = words
      .slice(at + 1, end < 0 ? words.length : end)
      .map((word) =>
        word.text.includes("{}") ? { ...word, text: word.text === "{}" ? `${top}/${BELOW}` : word.text.replaceAll("{}", HOLE), spreads: false } : word,
      );
    unwrap(
      {
        words: inner,
        assigned: [],
        source: inner.map(({ raw }) => raw).join(" "),
        scope: command.scope,
        loop: command.loop,
        order: command.order,
        trail: command.trail,
        parent: command,
      },
      deep,
      depth + 1,
    );
  }
}

function quoted(command: Started, deep: Deep, depth: number): void {
  const words = command.words.slice(1).filter(({ text }) => !text.startsWith("-"));
  if (base(command.words[0]) === "trap" && words.length < 2) return;
  for (const word of base(command.words[0]) === "trap" ? words.slice(0, 1) : words)
    nested([{ ...word, text: base(command.words[0]) === "trap" ? word.text : word.text.replace(/^\w+=/, "") }], deep, depth, command);
}

function interprets({ words }: Command, flags: string, deep: Deep): void {
  const first = words[1]?.text;
  if (first === undefined || words.some(({ text }) => flags.split(" ").includes(text))) deep.opaque.push("code for an interpreter");
}

function nested(words: readonly Word[], deep: Deep, depth: number, parent: Started): void {
  if (words.length === 0) return;
  const text = words.map((word) => word.text).join(" ");
  if (isHoled(text)) return void deep.doubts.push("a nested text known only at run time");
  const inner = readDeep(text, depth + 1, parent);
  deep.commands.push(...inner.commands);
  deep.targets.push(...inner.targets);
  deep.assigned.push(...inner.assigned);
  deep.doubts.push(...inner.doubts);
  deep.opaque.push(...inner.opaque);
  deep.loose.push(...inner.loose);
  if (inner.unparsed) deep.unparsed = true;
}

function base(word: Word | undefined): string {
  return word?.text.split("/").at(-1) ?? "";
}
