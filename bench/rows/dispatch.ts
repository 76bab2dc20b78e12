/** What an event costs when its hooks are functions that do nothing, and past hooks that it does not concern. */
import { tmpdir } from "node:os";
import type { Contender, Opened, Points, Row } from "../row.ts";
import { openPeer } from "../support/peers.ts";
import { awaited, timed } from "../support/timed.ts";

/** So many hooks that match, and so many that do not. */
interface Crowd {
  readonly hooks: number;
  readonly others: number;
}

/** The least there is: a list found by the event's name, its functions called, the caller waits. */
function table(crowds: readonly Crowd[]): Contender {
  return {
    name: "table",
    open: async () => {
      const event = { name: "tool.before", tool: "Bash" };
      const works = crowds.map(({ hooks, others }) => {
        const functions = Array.from({ length: hooks }, () => (_: object): void => {});
        const byTool = new Map([[event.tool, functions], ...Array.from({ length: others }, (_, index) => [`Other${index}`, functions] as const)]);
        const byEvent = new Map([[event.name, byTool]]);
        return awaited(async () => {
          for (const call of byEvent.get(event.name)?.get(event.tool) ?? []) call(event);
        });
      });
      return timed(works);
    },
  };
}

function peer({ name, file, make }: { readonly name: string; readonly file: string; readonly make: string }, crowds: readonly Crowd[]): Contender {
  return {
    name,
    open: async () => {
      const runs = await Promise.all(crowds.map((crowd) => openPeer(file, make, { ...crowd, cwd: tmpdir() })));
      return timed(runs.map((run) => awaited(run)));
    },
  };
}

/** What a function of ours does: it answers nothing later, as those of the peers do, or at once, or reads its event, which is a copy of its own, or decides. */
const FUNCTIONS = {
  ours: async () => undefined,
  "ours, synchronous": () => undefined,
  "ours, reading the event": ({ tool }: { readonly tool: { readonly name: string } }) => void (tool.name === "nothing"),
  "ours, allowing": () => ({ verdict: "allow" as const }),
};

function ours(crowds: readonly Crowd[], name: keyof typeof FUNCTIONS = "ours"): Contender {
  return { name, open: async () => openOurs(crowds, FUNCTIONS[name]) };
}

async function openOurs(crowds: readonly Crowd[], call: (typeof FUNCTIONS)[keyof typeof FUNCTIONS]): Promise<Opened> {
  const { check, EVENT, openEngine } = await import("../support/engine.ts");
  const opened = await Promise.all(
    crowds.map(async ({ hooks, others }) =>
      openEngine({
        hooks: [
          ...Array.from({ length: hooks }, (_, index) => ({ event: "tool.before" as const, name: `hook ${index}`, call })),
          ...Array.from({ length: others }, (_, index) => ({
            event: "tool.before" as const,
            name: `other ${index}`,
            matcher: [`Other${index}`],
            call,
          })),
        ],
      }),
    ),
  );
  for (const [index, each] of opened.entries()) await check(each, EVENT, crowds[index]?.hooks ?? 0);
  return timed(
    opened.map(({ engine }) => awaited(() => engine.fire(EVENT))),
    async () => void (await Promise.all(opened.map(async ({ close }) => close()))),
  );
}

const TAPABLE = { name: "tapable", file: "packages.mjs", make: "tapableDispatch" };
const HOOKABLE = { name: "hookable", file: "packages.mjs", make: "hookableDispatch" };
const GEMINI = { name: "Gemini CLI", file: "gemini.mjs", make: "dispatch" };

function matching(counts: readonly number[]): readonly Crowd[] {
  return counts.map((hooks) => ({ hooks, others: 0 }));
}

function passedBy(counts: readonly number[]): readonly Crowd[] {
  return counts.map((others) => ({ hooks: 0, others }));
}

function row({ name, what, points, crowds }: { name: string; what: string; points?: Points; crowds: readonly Crowd[] }, goals: Row["goals"]): Row {
  const some = crowds.some(({ hooks }) => hooks > 0);
  const peers = [...(some ? [TAPABLE, HOOKABLE] : []), GEMINI].map((each) => peer(each, crowds));
  return { name, what, ...(points && { points }), limit: table(crowds), peers, ours: ours(crowds), goals };
}

const FEW = [0, 1, 10];
const MANY = [1, 3, 10, 30, 100, 300, 1_000];

/** Rows of the table. */
export const dispatchRows: readonly Row[] = [
  row({ name: "dispatch", what: "dispatch, no hook / 1 asynchronous function / 10", points: { axis: "hooks", at: FEW }, crowds: matching(FEW) }, [
    { kind: "times", of: TAPABLE.name, atMost: [1] },
  ]),
  row({ name: "dispatch-past", what: "dispatch past 1,000 hooks that do not match", crowds: passedBy([1_000]) }, [
    { kind: "within", microseconds: [0.3], limitThen: [0.1] },
  ]),
];

const SYNCHRONOUS = { name: "tapable, synchronous", file: "packages.mjs", make: "tapableSynchronous" };

/** What functions of each kind cost beside those of tapable, which are shown no copy, are not timed and not reported. */
export const dispatchKinds: readonly Row[] = [
  {
    name: "dispatch-kinds",
    what: "dispatch to functions of each kind, 1 / 10",
    points: { axis: "hooks", at: [1, 10] },
    limit: table(matching([1, 10])),
    peers: [
      ...[SYNCHRONOUS, TAPABLE, HOOKABLE].map((each) => peer(each, matching([1, 10]))),
      ...(["ours, synchronous", "ours, reading the event", "ours, allowing"] as const).map((name) => ours(matching([1, 10]), name)),
    ],
    ours: ours(matching([1, 10])),
    goals: [{ kind: "times", of: TAPABLE.name, atMost: [1] }],
  },
];

/** The same over many numbers of hooks, for the plots. */
export const dispatchSeries: readonly Row[] = [
  row({ name: "hooks", what: "dispatch to functions that match", points: { axis: "hooks", at: MANY }, crowds: matching(MANY) }, []),
  row({ name: "hooks-past", what: "dispatch past hooks that do not match", points: { axis: "hooks", at: MANY }, crowds: passedBy(MANY) }, []),
];
