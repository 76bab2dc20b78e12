/** How closed a sandbox is, from open to closed. */
export const SANDBOX_LEVELS = ["none", "readonly", "strict"] as const;

/** A level of sandbox. */
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number];

/** A level that holds something. */
export type Confinement = Exclude<SandboxLevel, "none">;
