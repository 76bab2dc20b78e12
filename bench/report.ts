/** The result of a run, as data. */
import { cpus, loadavg, platform, release, totalmem } from "node:os";
import { isObject } from "../src/lib/json.ts";
import { judge, type Judgement } from "./judge.ts";
import type { Measured } from "./rounds.ts";
import type { Points, Row } from "./row.ts";

/** Where and when a run was made. */
export interface Machine {
  readonly date: string;
  readonly node: string;
  readonly system: string;
  readonly cpu: string;
  readonly memoryGb: number;
  /** At the start: a busy machine is seen by it. */
  readonly load: number;
  /** Where NODE_EXTRA_CA_CERTS is set, each start of Node 20 costs about 35 ms more. */
  readonly extraCertificates: boolean;
  readonly command: string;
}

/** One row, measured and judged. */
export interface RowReport extends Judgement {
  readonly name: string;
  readonly what: string;
  readonly points: Points | null;
  readonly contenders: readonly Measured[];
}

/** A whole run. */
export interface Report {
  readonly machine: Machine;
  readonly rows: readonly RowReport[];
  readonly series: readonly RowReport[];
}

/** Looks at the machine before anything is measured. */
export function machine(command: string): Machine {
  return {
    date: new Date().toISOString(),
    node: process.version,
    system: `${platform()} ${release()}`,
    cpu: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
    memoryGb: Math.round(totalmem() / 1_073_741_824),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    extraCertificates: (process.env["NODE_EXTRA_CA_CERTS"] ?? "") !== "",
    command,
  };
}

/** A row with what was measured. */
export function rowReport(row: Row, contenders: readonly Measured[]): RowReport {
  return { name: row.name, what: row.what, points: row.points ?? null, contenders, ...judge(row, contenders) };
}

/** One line about the machine, for tables and captions. */
export function machineText({ date, node, system, cpu, memoryGb, load, extraCertificates }: Machine): string {
  const parts = [date.slice(0, 16).replace("T", " "), `Node ${node}`, system, cpu, `${memoryGb} GB`, `load ${load}`];
  return [...parts, ...(extraCertificates ? ["NODE_EXTRA_CA_CERTS set"] : [])].join(", ");
}

/** Whether a file holds the result of a run. */
export function isReport(value: unknown): value is Report {
  return isObject(value) && isObject(value["machine"]) && Array.isArray(value["rows"]) && Array.isArray(value["series"]);
}
