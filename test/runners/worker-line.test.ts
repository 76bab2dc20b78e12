import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readWorkerLine, type WorkerLine } from "../../src/runners/worker-line.ts";

function read(line: string): readonly WorkerLine[] {
  const said: WorkerLine[] = [];
  readWorkerLine(line, (each) => void said.push(each));
  return said;
}

test.each<[string, readonly WorkerLine[]]>([
  ["", []],
  ["  ", []],
  ['{"id":1}', [{ kind: "answer", id: 1, value: { id: 1 } }]],
  [' {"id":1}\r', [{ kind: "answer", id: 1, value: { id: 1 } }]],
  ['{"id":"12","verdict":"deny"}', [{ kind: "answer", id: 12, value: { id: "12", verdict: "deny" } }]],
  ['{"id":null}', [{ kind: "noise", text: '{"id":null}' }]],
  ['{"id":1,"error":"no"}', [{ kind: "error", id: 1, message: "no" }]],
  ['{"id":1,"error":{"code":5}}', [{ kind: "error", id: 1, message: '{"code":5}' }]],
  ['{"id":1,"error":null}', [{ kind: "answer", id: 1, value: { id: 1, error: null } }]],
  ['{"verdict":"deny"}', [{ kind: "unnamed", value: { verdict: "deny" } }]],
  ["[1]", [{ kind: "noise", text: "[1]" }]],
  ["7", [{ kind: "noise", text: "7" }]],
  ['{"id":1,"verdict":"al', [{ kind: "noise", text: '{"id":1,"verdict":"al' }]],
  ['{"hello":1}', [{ kind: "hello", concurrency: 1, hearsCancel: false }]],
  ['{"hello":1,"concurrency":8,"cancel":true}', [{ kind: "hello", concurrency: 8, hearsCancel: true }]],
  ['{"hello":1,"concurrency":1e9}', [{ kind: "hello", concurrency: 64, hearsCancel: false }]],
  ['{"hello":1,"concurrency":0}', [{ kind: "hello", concurrency: 1, hearsCancel: false }]],
  ['{"hello":1,"concurrency":1.5}', [{ kind: "hello", concurrency: 1, hearsCancel: false }]],
  ['{"hello":1,"concurrency":"8"}', [{ kind: "hello", concurrency: 1, hearsCancel: false }]],
  ['{"id":1,"hello":1}', [{ kind: "answer", id: 1, value: { id: 1, hello: 1 } }]],
])("%s", (line, said) => {
  expect(read(line)).toEqual(said);
});

test("answers among noise are found; what has no id among noise is noise", () => {
  const line = 'ok {"id":1} {"verdict":"allow"} {"id":2,"error":"x"} {"hello":1,"concurrency":9}';
  expect(read(line)).toEqual([
    { kind: "noise", text: line },
    { kind: "answer", id: 1, value: { id: 1 } },
    { kind: "error", id: 2, message: "x" },
  ]);
});

test("an answer without an opinion is known by its line, and read as it would be from its JSON", () => {
  const ids = fc.oneof(fc.nat().map(String), fc.constantFrom("007", "1e3", "-1", "0", "1.5", "9".repeat(15), "9".repeat(16), '"7"', "null", ""));
  fc.assert(
    fc.property(ids, fc.constantFrom("", " ", "  "), fc.constantFrom("}", "} ", " }", ",}", '}{"id":3}'), (id, space, end) => {
      const line = `{"id":${space}${id}${end}`;
      // A space before it, and it is not known by its line.
      expect(read(line)).toEqual(read(` ${line}`));
    }),
  );
});
