import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BIN, ROOT } from "../support/places.ts";
import { run, type Printed } from "./surface.ts";

let scratch = "";

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "snaphook-tour-test-"));
});

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

describe("the tour", () => {
  test("[K4] ends by itself and tells a denial, a rewrite, a question, feedback, context and a fault", async () => {
    const { exit, out, err } = await tour();
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    for (const line of [
      /├ lime +no-rm-rf\.sh +deny +[\d.]+ ms +\.lime\/settings\.json:5/,
      /└ denied; the model is told: rm -rf is blocked by hook/,
      /├ note +other text stands around the answer/,
      /├ mains +pnpmForNpm +rewrite +[\d.]+ ms/,
      /└ the call runs, rewritten to: pnpm run clean/,
      /├ goose +pushes\.sh +ask +[\d.]+ ms +goose\/config\.yaml:7/,
      /├ claw +remind\.sh +feedback/,
      /Hook feedback:\n +The build folder is empty now/,
      /├ robota +house-rules\.sh +context/,
      /├ robota +broken\.sh +fault/,
      /├ gate +mode default +deny/,
      /13 events, 8 calls: 4 denied, 2 asked, 1 rewritten/,
    ]) {
      expect(out).toMatch(line);
    }
  });

  test("[K4] all five dialects fire", async () => {
    const lines = await jsonLines();
    const dialects = new Set(lines.flatMap((line) => line.decision?.hooks ?? []).map((hook) => hook.dialect));
    expect([...dialects].toSorted()).toEqual(["claw", "goose", "lime", "mains", "robota"]);
  });

  test("with --json every line is one JSON object, and the last one holds the totals", async () => {
    const lines = await jsonLines();
    expect(new Set(lines.map((line) => line.type))).toEqual(new Set(["event", "detached", "tour.end"]));
    expect(lines.at(-1)).toMatchObject({ type: "tour.end", events: 13, calls: 8, denied: 4, asked: 2, rewritten: 1, faults: 1 });
  });

  test("fits 80 columns, whatever stands in it", async () => {
    const { out } = await tour({ columns: 80 });
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("colour adds to the words and carries none of them", async () => {
    const plain = await tour();
    const coloured = await tour({ colour: true });
    expect(coloured.out).toContain("\u001B[31mdeny");
    expect(plain.out).not.toContain("\u001B");
    expect(timeless(stripVTControlCharacters(coloured.out))).toBe(timeless(plain.out));
  });

  test("leaves nothing behind, neither in the temporary folder nor beside the examples", async () => {
    const before = await readdir(join(ROOT, "examples/tour"), { recursive: true });
    await tour();
    expect(await readdir(scratch)).toEqual([]);
    expect(await readdir(join(ROOT, "examples/tour"), { recursive: true })).toEqual(before);
  });

  test("takes no words", async () => {
    expect(await tour({}, ["now"])).toEqual({ exit: 64, out: "", err: "snaphook: tour takes no words. `snaphook tour --help` lists the options.\n" });
  });

  test("the bundle finds the examples too, from any folder", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [BIN, "tour", "--json"], {
      cwd: scratch,
      env: { PATH: process.env["PATH"], TMPDIR: scratch },
    });
    expect(stdout.trim().split("\n").at(-1)).toContain('"tour.end"');
  });
});

async function tour(look: { columns?: number; colour?: boolean } = {}, words: readonly string[] = []): Promise<Printed> {
  return run(["tour", ...words], { cwd: scratch, env: { TMPDIR: scratch }, ...look });
}

interface Line {
  readonly type: string;
  readonly decision?: { readonly hooks: readonly { readonly dialect: string }[] };
}

async function jsonLines(): Promise<Line[]> {
  const { out } = await tour({}, ["--json"]);
  return out
    .trim()
    .split("\n")
    .map((line): Line => JSON.parse(line));
}

/** Two runs differ in their times only. */
function timeless(text: string): string {
  return text.replaceAll(/ +[\d.]+ ms/g, " T");
}
