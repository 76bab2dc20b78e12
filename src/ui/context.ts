import type { LogReader } from "../audit/reader.ts";
import type { Live } from "./live.ts";

/** What every route works with. */
export interface UiContext {
  readonly desk: string;
  readonly live: Live;
  readonly version: string;
  /** The folder whose configuration the playground and the list of hooks look at. */
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** The folder of the JSON Schemas. */
  readonly schemas: string;
  /** Where the audit log is; null: there is none. */
  readonly auditDir: string | null;
  /** Who answers questions to it. */
  readonly audit: LogReader | null;
}
