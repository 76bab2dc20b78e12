/** The options that say which configuration counts; shared by the commands that read one. */
import { SnaphookError } from "../model/errors.ts";
import { LOCK_NAME } from "../trust/lock.ts";
import type { TrustOptions } from "../trust/open.ts";
import type { Option, Words } from "./command.ts";

/** Which files are read, and as whose. */
export const CONFIG_OPTIONS: { readonly [name: string]: Option } = {
  config: {
    type: "string",
    value: "FILE",
    help: "a configuration file, trusted by being named; repeatable, in order. Without it the dialects' own places are searched",
  },
  dialect: { type: "string", value: "ID", help: "the dialect of the --config files after it; else it is found from place and shape" },
  cwd: { type: "string", value: "DIR", help: "the project folder (default: where you are)" },
  trust: { type: "boolean", help: "trust everything that comes with the folder, this once" },
  frozen: {
    type: "string",
    value: "[FILE]",
    optional: true,
    help: "trust what a lock file lists (snaphook.lock) and nothing else; fail, before anything runs, where there is more",
  },
  "require-trust": { type: "boolean", help: "fail, before anything runs, where something that comes with the folder is not trusted" },
};

/** What the options say about trust. */
export function trustOf({ flags, values }: Words): TrustOptions & { readonly requireTrust?: boolean } {
  const lock = values["frozen"]?.at(-1);
  if (lock !== undefined && flags["trust"])
    throw new SnaphookError("SNAP_USAGE", { message: "--trust trusts everything and --frozen only what is locked: use one of them" });
  return {
    ...(flags["trust"] && { trust: true }),
    ...(lock !== undefined && { lock: lock === "" ? LOCK_NAME : lock }),
    ...((lock !== undefined || flags["require-trust"]) && { requireTrust: true }),
  };
}

/** The files in order, each with the `--dialect` that stands before it. */
export function configsOf({ sequence }: Words): { readonly file: string; readonly dialect?: string }[] {
  let dialect: string | undefined;
  const configs: { file: string; dialect?: string }[] = [];
  for (const { name, value } of sequence) {
    if (name === "dialect") dialect = value;
    if (name === "config" && value !== undefined) configs.push({ file: value, ...(dialect !== undefined && { dialect }) });
  }
  return configs;
}
