/** The table: every row, in the order in which it is printed; then the series that only the plots need. */
import type { Row } from "../row.ts";
import { auditRows } from "./audit.ts";
import { burstRows } from "./burst.ts";
import { cliRows } from "./cli.ts";
import { commandRows } from "./command.ts";
import { dispatchKinds, dispatchRows, dispatchSeries } from "./dispatch.ts";
import { loginRows } from "./login.ts";
import { payloadRows, payloadSeries } from "./payload.ts";
import { permissionRows, permissionSeries } from "./permission.ts";
import { warmRows } from "./warm.ts";

/** Rows with a goal. */
export const TABLE: readonly Row[] = [
  ...commandRows,
  ...loginRows,
  ...burstRows,
  ...warmRows,
  ...dispatchRows,
  ...permissionRows,
  ...cliRows,
  ...auditRows,
  ...payloadRows,
];

/** Rows over many points, for the plots. */
export const SERIES: readonly Row[] = [...dispatchSeries, ...permissionSeries, ...payloadSeries];

/** All of them, by name; those that are in neither list are for `--only`. */
export const ROWS: readonly Row[] = [...TABLE, ...SERIES, ...dispatchKinds];
