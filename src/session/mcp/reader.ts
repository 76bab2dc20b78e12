import { entryOf, kindOf, type DocNode, type Position } from "../../lib/document/node.ts";
import type { Notice, NoticeKind } from "../../model/notice.ts";

/** Reads the fields of one server, with `${NAME}` and `${NAME:-default}` expanded; whatever is wrong is a notice with its place. */
export class Reader {
  readonly #file: string;
  readonly #env: { readonly [name: string]: string };
  readonly #notices: Notice[];
  #failed = false;

  constructor({ file, env, notices }: { readonly file: string; readonly env: { readonly [name: string]: string }; readonly notices: Notice[] }) {
    this.#file = file;
    this.#env = env;
    this.#notices = notices;
  }

  /** Whether something was wrong that makes the server useless. */
  get failed(): boolean {
    return this.#failed;
  }

  tell(kind: NoticeKind, message: string, at: Position): void {
    this.#notices.push({ kind, message, file: this.#file, line: at.line, column: at.column });
  }

  fail(kind: NoticeKind, message: string, at: Position): undefined {
    this.#failed = true;
    return this.drop(kind, `${message}; it is not started`, at);
  }

  drop(kind: NoticeKind, message: string, at: Position): undefined {
    this.tell(kind, message, at);
    return undefined;
  }

  flag(node: DocNode, key: string): boolean | undefined {
    const value = entryOf(node, key)?.value;
    if (value === undefined) return undefined;
    if (value.kind === "scalar" && typeof value.value === "boolean") return value.value;
    return this.fail("wrong-type", `${key} is ${kindOf(value)}, not true or false`, value.at);
  }

  text(node: DocNode, key: string): string | undefined {
    const value = entryOf(node, key)?.value;
    return value === undefined ? undefined : this.#expanded(value, key);
  }

  texts(node: DocNode, key: string): readonly string[] {
    const value = entryOf(node, key)?.value;
    if (value === undefined) return [];
    if (value.kind === "list") return value.items.map((item, index) => this.#expanded(item, `${key}[${index}]`) ?? "");
    this.fail("wrong-type", `${key} is ${kindOf(value)}, not a list of texts`, value.at);
    return [];
  }

  record(node: DocNode, key: string): { readonly [name: string]: string } {
    const value = entryOf(node, key)?.value;
    if (value === undefined) return {};
    if (value.kind === "object") return Object.fromEntries(value.entries.map((entry) => [entry.key, this.#expanded(entry.value, `${key}.${entry.key}`) ?? ""]));
    this.fail("wrong-type", `${key} is ${kindOf(value)}, not an object of texts`, value.at);
    return {};
  }

  #expanded(node: DocNode, key: string): string | undefined {
    if (node.kind !== "scalar" || typeof node.value !== "string") return this.fail("wrong-type", `${key} is ${kindOf(node)}, not text`, node.at);
    return node.value.replaceAll(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_whole, name: string, otherwise: string | undefined) => {
      const value = Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
      if (value !== undefined && (value !== "" || otherwise === undefined)) return value;
      if (otherwise === undefined) this.fail("missing-key", `${key} needs the variable ${name}, which is not set`, node.at);
      return otherwise ?? "";
    });
  }
}
