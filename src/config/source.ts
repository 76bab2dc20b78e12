import type { Dialect } from "../dialects/dialect.ts";
import type { PluginOrigin } from "../model/hook.ts";
import type { Layer } from "../model/layer.ts";

/** A configuration file to be read: where it is, how much it may say, and whose words it may speak. */
export interface ConfigSource {
  readonly path: string;
  readonly layer: Layer;
  /** The dialects whose entries may stand in it; with several, the shape of each entry decides. */
  readonly dialects: readonly Dialect[];
  readonly plugin: PluginOrigin | null;
  /** Named by hand, which is trust enough. */
  readonly named: boolean;
}
