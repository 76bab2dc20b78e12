/** In which ways a hook fails, as `onFault` names them, and what its owner wants to happen then. Pure. */
import { VERDICTS, strictest, type Verdict } from "./verdict.ts";
import type { Fault, FaultKind } from "./outcome.ts";

/** Every way to fail, and the wider one that it belongs to: a policy that is silent about the narrow one is asked about the wide one. */
export const FAILURES = {
  notStarted:    { within: null,         text: "it could not be started" },
  notFound:      { within: "notStarted", text: "its program or callback does not exist; a shell says so with exit code 127" },
  notExecutable: { within: "notStarted", text: "its program may not be run, or is none; a shell says so with exit code 126" },
  tooBig:        { within: "notStarted", text: "its arguments and environment do not fit (E2BIG)" },
  refused:       { within: "notStarted", text: "its server can't be reached, or its address may not be" },
  unsupported:   { within: "notStarted", text: "it needs something that is not here: a session, or the sandbox that it must run in" },
  timeout:       { within: null,         text: "it did not answer in its own time and was killed" },
  eventTimeout:  { within: "timeout",    text: "the time of the whole event was used up before it had answered, or before it was started" },
  crash:         { within: null,         text: "it ran and ended without an answer" },
  signal:        { within: "crash",      text: "it was ended by a signal" },
  exit:          { within: "crash",      text: "it ended with an exit code that is neither success nor a denial" },
  exception:     { within: "crash",      text: "its function threw or rejected, or its worker said that it failed" },
  status:        { within: "crash",      text: "its server answered with a status that is no success" },
  changed:       { within: null,         text: "a file that its approval covers changed while it ran, so its answer is not one of what was approved" },
  badOutput:     { within: null,         text: "it answered, and the answer can't be read: an unknown word, a wrong type, nothing where something is wanted" },
  badJson:       { within: "badOutput",  text: "its answer is not JSON" },
  partialJson:   { within: "badOutput",  text: "its answer is JSON that stops in the middle" },
  oversize:      { within: "badOutput",  text: "it printed more than the output limit" },
} as const satisfies Record<string, { readonly within: string | null; readonly text: string }>; // prettier-ignore

/** One way to fail. */
export type FailureKind = keyof typeof FAILURES;

/** All of them, in the table's order. */
export const FAILURE_KINDS: readonly FailureKind[] = Object.keys(FAILURES).filter((name): name is FailureKind => Object.hasOwn(FAILURES, name));

/** What happens by kind of failure; `default` is for those that are not named. */
export type FaultTable = { readonly [kind in FailureKind]?: Verdict } & { readonly default?: Verdict };

/** What happens when a hook fails: one word for every failure, or a word for each kind. */
export type FaultPolicy = Verdict | (FaultTable & { readonly default: Verdict });

/** What a fault is when nothing finer is known of it. */
const FAILURE_OF: { readonly [kind in FaultKind]: FailureKind } = {
  exit: "exit",
  signal: "signal",
  timeout: "timeout",
  "not-started": "notStarted",
  oversized: "oversize",
  answer: "badOutput",
  exception: "exception",
  http: "status",
  callback: "notFound",
  unsupported: "unsupported",
  changed: "changed",
  cancelled: "timeout",
};

/** The name that a policy has for a fault. */
export function failureOf({ kind, failure }: Fault): FailureKind {
  return failure ?? FAILURE_OF[kind];
}

/** What a policy says of a fault. A shell that exits with 127 may mean a missing program or its own failure: the stricter word that was given counts. */
export function verdictOnFault(policy: FaultPolicy, fault: Fault): Verdict {
  if (typeof policy === "string") return policy;
  const plain = FAILURE_OF[fault.kind];
  const chain = chainOf(failureOf(fault));
  return strictest([named(policy, chain), chain.includes(plain) ? null : named(policy, chainOf(plain))]) ?? policy.default;
}

/** A policy without gaps: what its owner did not say is the default. */
export function completePolicy(given: Verdict | FaultTable | null, fallback: Verdict): FaultPolicy {
  return typeof given === "string" ? given : given ? { ...given, default: given.default ?? fallback } : fallback;
}

/** At every kind of failure the stricter of two policies. */
export function stricterPolicy(left: FaultPolicy, right: FaultPolicy): FaultPolicy {
  if (typeof left === "string" && typeof right === "string") return strictest([left, right]) ?? left;
  const of = (policy: FaultPolicy, kind: FailureKind): Verdict => (typeof policy === "string" ? policy : (named(policy, chainOf(kind)) ?? policy.default));
  const both = FAILURE_KINDS.map((kind) => [kind, strictest([of(left, kind), of(right, kind)])]);
  return { ...Object.fromEntries(both), default: strictest([defaultOf(left), defaultOf(right)]) ?? "deny" };
}

/** A policy in a few words: `ask`, or `timeout deny, else ask`. */
export function policyText(policy: FaultPolicy): string {
  if (typeof policy === "string") return policy;
  const words = FAILURE_KINDS.flatMap((kind) => (policy[kind] === undefined ? [] : [`${kind} ${policy[kind]}`]));
  return words.length === 0 ? policy.default : `${words.join(", ")}, else ${policy.default}`;
}

/** Whether the owner said nothing else than to go on. */
export function goesOn(policy: FaultPolicy): boolean {
  return policy === VERDICTS[0];
}

function defaultOf(policy: FaultPolicy): Verdict {
  return typeof policy === "string" ? policy : policy.default;
}

function named(policy: FaultTable, chain: readonly FailureKind[]): Verdict | undefined {
  return chain.map((kind) => policy[kind]).find((verdict) => verdict !== undefined);
}

/** A kind and the wider ones, from narrow to wide. */
function chainOf(kind: FailureKind): readonly FailureKind[] {
  const { within } = FAILURES[kind];
  return within === null ? [kind] : [kind, ...chainOf(within)];
}
