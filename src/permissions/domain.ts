import type { CompiledRule } from "./policy-table.ts";

/** Tests `domain:` rules against the host of an address: exactly, or a subdomain; what is no address is maybe. */
export function matchesDomain(
  domains: ReadonlyMap<string, readonly CompiledRule[]>,
  address: string,
  found: (rule: CompiledRule, match: "yes" | "maybe") => void,
): void {
  if (domains.size === 0) return;
  const host = hostOf(address);
  if (host === undefined) {
    for (const rules of domains.values()) for (const rule of rules) found(rule, "maybe");
    return;
  }
  const all = (rules: readonly CompiledRule[] | undefined): void => {
    for (const rule of rules ?? []) found(rule, "yes");
  };
  all(domains.get("*"));
  all(domains.get(host));
  for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
    const parent = host.slice(dot + 1);
    all(domains.get(parent));
    all(domains.get(`*.${parent}`));
  }
}

/** The host as a network would look it up: lower case, no port, no user, no trailing dot. */
export function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const host = new URL(address).hostname.toLowerCase().replace(/\.+$/, "");
  return host === "" ? undefined : host;
}
