// Cedar: decisions on as many policies, parsed beforehand.
import { createRequire } from "node:module";

const cedar = createRequire(import.meta.url)("@cedar-policy/cedar-wasm/nodejs");

/** Whether a file may be read. */
export async function policy({ rules, path }) {
  const staticPolicies = Array.from({ length: rules }, (_, index) => `forbid(principal, action == Action::"read", resource == File::"/data/d${index}");`);
  staticPolicies.push('permit(principal, action == Action::"read", resource);');
  const id = `rules-${rules}`;
  cedar.preparsePolicySet(id, { staticPolicies: staticPolicies.join("\n") });
  const call = {
    principal: { type: "User", id: "agent" },
    action: { type: "Action", id: "read" },
    resource: { type: "File", id: path },
    context: {},
    preparsedPolicySetId: id,
    entities: [],
  };
  const answer = cedar.statefulIsAuthorized(call);
  if (answer.type !== "success") throw new Error(JSON.stringify(answer.errors));
  return () => cedar.statefulIsAuthorized(call);
}
