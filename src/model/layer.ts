/** One source of configuration, in order of precedence: an earlier layer runs first and can't be undone by a later one. */
export const LAYERS = ["managed", "user", "project", "local", "plugin", "run"] as const;
export type Layer = (typeof LAYERS)[number];
