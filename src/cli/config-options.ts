/** The options that say which configuration counts; shared by the commands that read one. */
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
  trust: { type: "boolean", help: "run hooks that come with the folder, this once" },
};

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
