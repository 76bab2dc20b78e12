import { readLock } from "./lock.ts";
import { Trust, type TrustPolicy } from "./trust.ts";

/** How far a caller trusts what comes with a folder. */
export interface TrustOptions {
  /** Whether everything that comes with the project may run. Default: what `snaphook trust` approved and has not changed, or all with SNAPHOOK_TRUST=all. */
  readonly trust?: boolean;
  /** A lock file: only what it lists may run, whatever was approved. */
  readonly lock?: string;
}

/** The judge for a project folder. Throws when a lock file is wanted and can't be read. */
export function openTrust({
  trust,
  lock,
  root,
  home,
  configDir,
  env,
}: TrustOptions & {
  readonly root: string;
  readonly home: string;
  readonly configDir: string;
  readonly env: { readonly [name: string]: string | undefined };
}): Trust {
  const policy = policyOf({ trust: trust ?? (env["SNAPHOOK_TRUST"] === "all" ? true : undefined), lock, configDir });
  return new Trust({ policy, where: { root, home, env, user: process.geteuid?.() } });
}

function policyOf({ trust, lock, configDir }: { trust: boolean | undefined; lock: string | undefined; configDir: string }): TrustPolicy {
  if (lock !== undefined) return { kind: "lock", lock: readLock(lock) };
  if (trust !== undefined) return { kind: trust ? "all" : "none" };
  return { kind: "approved", configDir };
}

/** A judge that trusts everything: for those who only look. */
export function trustAll(): Trust {
  return new Trust({ policy: { kind: "all" }, where: { root: "/", home: "", env: {}, user: undefined } });
}
