// Cedar on rules of the same number: microseconds a decision, medians.
import { createRequire } from "node:module";

const cedar = createRequire(import.meta.url)("@cedar-policy/cedar-wasm/nodejs");

/** Decisions at 10 and 10,000 policies, parsed beforehand. */
export async function measure(median) {
  const microseconds = [];
  for (const count of [10, 10_000]) {
    const staticPolicies = Array.from({ length: count }, (_, index) => `forbid(principal, action == Action::"read", resource == File::"/data/d${index}");`);
    staticPolicies.push('permit(principal, action == Action::"read", resource);');
    const id = `rules-${count}`;
    cedar.preparsePolicySet(id, { staticPolicies: staticPolicies.join("\n") });
    const call = {
      principal: { type: "User", id: "agent" },
      action: { type: "Action", id: "read" },
      resource: { type: "File", id: "/srv/proj/src/a.ts" },
      context: {},
      preparsedPolicySetId: id,
      entities: [],
    };
    const answer = cedar.statefulIsAuthorized(call);
    if (answer.type !== "success") throw new Error(JSON.stringify(answer.errors));
    microseconds.push(await median(() => cedar.statefulIsAuthorized(call), count > 100 ? 10 : 200));
  }
  return [{ peer: "Cedar", what: "not shell", microseconds }];
}
