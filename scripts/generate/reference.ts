/** The reference pages, printed from the tables. */
import { commandHelp, mainHelp } from "../../src/cli/help.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { EVENT_TIMEOUT } from "../../src/config/event-timeout.ts";
import { PERMISSION_FIELDS, FIELDS, type FieldName } from "../../src/config/fields.ts";
import { typedFieldsOf } from "../../src/config/shapes/action.ts";
import { OWN_TERMS } from "../../src/config/terms.ts";
import { GOOSE_FIELDS, NATIVE_FIELDS } from "../../src/config/shapes/flat.ts";
import { NAMED_GROUP_FIELDS, TYPED_GROUP_FIELDS } from "../../src/config/shapes/groups.ts";
import type { Dialect, Shape } from "../../src/dialects/dialect.ts";
import { DIALECT_LIST } from "../../src/dialects/index.ts";
import { isObject, lookup } from "../../src/lib/json.ts";
import { NOTICE_TEXTS } from "../../src/lint/descriptions.ts";
import { ERRORS } from "../../src/model/errors.ts";
import { EVENTS, type EventName } from "../../src/model/events.ts";
import { FAILURES } from "../../src/model/failure.ts";
import { NOTICES, type NoticeKind } from "../../src/model/notice.ts";
import { FAULTS } from "../../src/model/outcome.ts";
import { TOOLS, type ToolName } from "../../src/model/tools.ts";
import { block, code, page, table } from "./markdown.ts";
import { PERMISSION_TEXTS, plainSchema, rootSchemas } from "./schema.ts";
import { EVENT_TEXTS, EVENT_TIMEOUT_TEXT, FIELD_TEXTS, MATCHER_TEXTS, SHAPE_TEXTS } from "./texts.ts";

const EVENT_NAMES = Object.keys(EVENTS).filter((name): name is EventName => Object.hasOwn(EVENTS, name));
const TOOL_NAMES = Object.keys(TOOLS).filter((name): name is ToolName => Object.hasOwn(TOOLS, name));
const KINDS = Object.keys(NOTICES).filter((kind): kind is NoticeKind => Object.hasOwn(NOTICES, kind));

/** docs/reference/events.md */
export function eventsReference(): string {
  const spelled = (name: EventName): string[] =>
    DIALECT_LIST.filter(({ config }) => config.shape !== "native").map(({ events }) =>
      code(...Object.keys(events).filter((wireName) => events[wireName]?.is.includes(name))),
    );
  const others = DIALECT_LIST.filter(({ config }) => config.shape !== "native");
  return page(
    "Events",
    "Every moment of a session has a canonical name. A hook may use the powers of its event; anything else it asks for is dropped with a notice. Matchers are tested against the subject.",
    table(
      ["event", "when", "powers", "subject"],
      EVENT_NAMES.map((name) => [code(name), EVENT_TEXTS[name], EVENTS[name].powers.join(", "), EVENTS[name].subject ?? ""]),
    ),
    "## As the dialects spell them",
    "The same word may mean different events in different dialects: the table decides, not the spelling.",
    table(
      ["event", ...others.map(({ title }) => title)],
      EVENT_NAMES.map((name) => [code(name), ...spelled(name)]),
    ),
    ...DIALECT_LIST.filter(({ unfired }) => unfired.length > 0).map(
      ({ title, unfired }) => `${title} also has ${code(...unfired)}: known, and never fired here.`,
    ),
  );
}

/** docs/reference/dialects.md */
export function dialectsReference(): string {
  const rows: readonly (readonly [string, (dialect: Dialect) => string])[] = [
    ["entries", ({ config }) => SHAPE_TEXTS[config.shape]],
    ["types", ({ types }) => types.join(", ")],
    ["launch", ({ launch }) => (launch === "argv" ? "split into words, no shell" : code(launch))],
    ["order", ({ order }) => order],
    ["default timeout", ({ timeoutMs }) => `${timeoutMs / 1_000} s`],
    ["matcher", ({ matcher }) => (matcher.key === null ? "none" : code(matcher.key))],
    ["exit 0", ({ exit }) => exit[0]],
    ["exit 2", ({ exit }) => exit[2]],
    ["other exit", ({ exit }) => exit.other],
    ["a fault means", ({ onFault }) => onFault],
    ["hooks and gate", ({ gate }) => gate],
    ["not awaited", ({ events }) => code(...Object.keys(events).filter((name) => events[name]?.pace === "detach"))],
    ["plain text is context at", ({ events }) => code(...Object.keys(events).filter((name) => events[name]?.text.startsWith("context")))],
  ];
  return page(
    "Dialects",
    table(
      ["", ...DIALECT_LIST.map(({ title }) => title)],
      [["id", ...DIALECT_LIST.map(({ id }) => code(id))], ...rows.map(([title, cell]) => [title, ...DIALECT_LIST.map(cell)])],
    ),
    "## Places",
    table(
      ["dialect", "layer", "files"],
      DIALECT_LIST.flatMap((dialect) => placeRows(dialect)),
    ),
    "## Tools",
    "A tool is shown to a hook as its dialect spells it; matchers and rules accept every spelling. A tool that is not listed passes through unchanged.",
    table(
      ["tool", ...DIALECT_LIST.map(({ title }) => title)],
      TOOL_NAMES.map((tool) => [code(tool), ...DIALECT_LIST.map(({ tools }) => toolCell(tools[tool]))]),
    ),
    "## Matchers",
    table(
      ["dialect", "how a matcher is read"],
      DIALECT_LIST.map(({ title, matcher }) => [title, MATCHER_TEXTS[matcher.rule]]),
    ),
  );
}

/** One row a layer; files that differ in their ending only stand as one. */
function placeRows({ title, config }: Dialect): string[][] {
  const layers = [...new Set(config.places.map(({ layer }) => layer))];
  return layers.map((layer) => {
    const endings = new Map<string, string[]>();
    for (const place of config.places.filter((each) => each.layer === layer)) {
      const [, stem = "", ending = ""] = /^(.*)\.(\w+)$/.exec(`${BASES[place.base]}${place.path}`) ?? [];
      endings.set(stem, [...(endings.get(stem) ?? []), ending]);
    }
    return [title, layer, code(...[...endings].map(([stem, found]) => `${stem}.${found.length === 1 ? found[0] : `{${found.join(",")}}`}`))];
  });
}

const BASES = { root: "/", home: "~/", config: "~/.config/", project: "", plugin: "<plugin>/" } as const;

function toolCell(spelling: Dialect["tools"][ToolName]): string {
  return spelling ? code(spelling.name, ...(spelling.also ?? [])) : "";
}

/** docs/reference/errors.md */
export function errorsReference(): string {
  return page(
    "Errors and faults",
    "A mistake of the caller is an error with a code. A mistake of a hook is never an error: it is a fault in the decision, and the hook's `onFault` says what happens then.",
    "## Errors",
    table(
      ["code", "exit", "message"],
      Object.entries(ERRORS).map(([name, { exit, text }]) => [code(name), String(exit), code(text)]),
    ),
    "## Faults",
    table(
      ["fault", "what happened"],
      Object.entries(FAULTS).map(([kind, text]) => [code(kind), text]),
    ),
    "## Exit codes of the command line",
    table(
      ["exit", "meaning"],
      [
        ["0", "fine"],
        ["1", "internal fault"],
        ["2", "denied"],
        ["64", "wrong usage"],
        ["78", "bad configuration"],
      ],
    ),
  );
}

/** docs/reference/notices.md */
export function noticesReference(): string {
  return page(
    "Notices",
    "Nothing is dropped in silence: what was cut, ignored or odd is a notice in the decision, and a finding of `snaphook lint` where it stands in a file. Errors make `lint` end with 78.",
    table(
      ["kind", "severity", "meaning"],
      KINDS.map((kind) => [code(kind), NOTICES[kind], NOTICE_TEXTS[kind]]),
    ),
  );
}

/** docs/reference/config-fields.md */
export function configReference(): string {
  return page(
    "Configuration fields",
    "Files are JSON with comments and trailing commas, YAML or TOML, by their ending. Hooks stand under `hooks`, by event; rules under `permissions`. One bad entry never disables another. Editors complete with the schemas in `schema/`.",
    ...DIALECT_LIST.flatMap((dialect) => [
      `## ${dialect.title}`,
      `Under each event: ${SHAPE_TEXTS[dialect.config.shape]}. Schema: ${code(`schema/${dialect.id}.schema.json`)}.`,
      ...FIELD_TABLES[dialect.config.shape](dialect).map((part) => fieldTable(part, dialect)),
    ]),
    "## Failures",
    "The keys of `onFault` where it is an object. A kind that is not named counts as the wider one, then as `default`, then as the dialect's default. Exit codes 126 and 127 of a command are also an `exit`: the stricter word that is given holds.",
    table(
      ["key", "part of", "when"],
      Object.entries(FAILURES).map(([kind, { within, text }]) => [code(kind), within === null ? "" : code(within), text]),
    ),
    "## Time of an event",
    `${code(EVENT_TIMEOUT)} at the root of Snaphook's own settings. ${EVENT_TIMEOUT_TEXT} Managed settings decide, else your own; a project's has no effect. A call whose hook of another agent's dialect was cut short is at least asked, though that dialect goes on when a hook overruns its own time.`,
    "## Permissions",
    "In every file, beside `hooks`.",
    table(
      ["key", "meaning"],
      Object.keys(PERMISSION_FIELDS).map((key) => [code(key), lookup(PERMISSION_TEXTS, key) ?? ""]),
    ),
    "## Beside hooks and permissions",
    "At the root of a file. Those marked * count in Snaphook's own files only.",
    table(
      ["key", "value", "meaning"],
      Object.entries(rootSchemas("own")).map(([key, schema]) => [
        `${code(key)}${OWN_TERMS.includes(key) ? " *" : ""}`,
        rootValue(schema),
        isObject(schema) ? String(schema["description"]) : "",
      ]),
    ),
  );
}

function rootValue(schema: unknown): string {
  if (!isObject(schema)) return "";
  const { enum: words, type } = schema;
  return Array.isArray(words) ? words.join(", ") : (lookup(VALUES, type) ?? "");
}

interface FieldPart {
  readonly title: string;
  readonly fields: { readonly [key: string]: FieldName };
}

const FIELD_TABLES: { readonly [shape in Shape]: (dialect: Dialect) => readonly FieldPart[] } = {
  strings: () => [],
  "named-groups": () => [{ title: "group", fields: NAMED_GROUP_FIELDS }],
  "typed-groups": (dialect) => [
    { title: "group", fields: TYPED_GROUP_FIELDS },
    { title: "hook", fields: typedFieldsOf(dialect) },
  ],
  flat: () => [{ title: "entry", fields: GOOSE_FIELDS }],
  native: () => [{ title: "entry", fields: NATIVE_FIELDS }],
};

function fieldTable({ title, fields }: FieldPart, dialect: Dialect): string {
  return table(
    [title, "value", "meaning"],
    Object.entries(fields).map(([key, name]) => [code(key), name === "type" ? dialect.types.join(", ") : valueText(name), FIELD_TEXTS[name]]),
  );
}

/** The values of a field in words. */
function valueText(name: FieldName): string {
  if (name === "onFault") return "allow, ask, deny, or an object of them";
  const { type, enum: words, pattern } = plainSchema(FIELDS[name]);
  if (Array.isArray(words)) return words.join(", ");
  if (name === "duration" && typeof pattern === "string") return "duration";
  return lookup(VALUES, type) ?? "";
}

const VALUES: { readonly [type: string]: string } = {
  string: "text",
  number: "number",
  boolean: "true, false",
  array: "list of texts",
  object: "object of texts",
};

/** docs/reference/cli.md */
export async function cliReference(): Promise<string> {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, row]) => [`## snaphook ${name}`, block("text", commandHelp(name, await row.load()))]),
  );
  return page("Command line", block("text", mainHelp()), ...commands.flat());
}
