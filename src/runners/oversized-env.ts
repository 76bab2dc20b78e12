/** Variables that do not fit: a stub in the variable, the whole value in a file beside it [F6]. */
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../lib/errors.ts";

/** A single variable of 128 KiB fails the whole start; this leaves room for its name and for shells that copy it. */
export const ENV_LIMIT_BYTES = 98_304;

/** One NUL in a value fails the whole start too: a call must not shake off its guard by holding one. */
const NUL = "\0";
/** The most bytes that one unit of a text can become. */
const MOST_UNIT_BYTES = 3;

/** An environment in which every variable fits. */
export interface FittedEnv {
  readonly env: { readonly [name: string]: string };
  readonly stubbed: readonly string[];
  /** Where the values are that did not fit. */
  readonly files: readonly string[];
  /** Removes the files; the text says what could not be removed. */
  clean(): readonly string[];
}

/** The variables that do not fit. */
export function unfitVariables(env: { readonly [name: string]: string }): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => (unfitness(value) === undefined ? [] : [name]));
}

function unfitness(value: string): string | undefined {
  if (value.length * MOST_UNIT_BYTES > ENV_LIMIT_BYTES && Buffer.byteLength(value) > ENV_LIMIT_BYTES) return "too large for a variable";
  return value.includes(NUL) ? "a variable holds no NUL" : undefined;
}

const NONE: readonly string[] = [];

/** Moves values above the limit, or with a NUL, into files of mode 0600, named in `<VAR>_FILE`. */
export function fitEnv(env: { readonly [name: string]: string }, tempDir: string): FittedEnv {
  if (Object.values(env).every((value) => unfitness(value) === undefined)) return { env, stubbed: NONE, files: NONE, clean: () => NONE };
  const fitted: { [name: string]: string } = {};
  const files: string[] = [];
  const stubbed: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    const unfit = unfitness(value);
    if (unfit === undefined) {
      fitted[name] = value;
      continue;
    }
    const file = join(tempDir, `snaphook-${name.toLowerCase()}-${randomUUID()}.json`);
    writeFileSync(file, value, { mode: 0o600, flag: "wx" });
    files.push(file);
    stubbed.push(name);
    fitted[name] = JSON.stringify({ snaphook: `${unfit}: read stdin, or the file`, bytes: Buffer.byteLength(value), file });
    fitted[`${name}_FILE`] = file;
  }
  return { env: fitted, stubbed, files, clean: () => files.flatMap(removed) };
}

function removed(file: string): readonly string[] {
  try {
    rmSync(file, { force: true });
    return [];
  } catch (error) {
    return [`${file} could not be removed: ${messageOf(error)}`];
  }
}
