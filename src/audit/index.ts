/** The audit log: writing, reading, asking, checking. */
export { openLog, type AuditLog, type LogOptions } from "./log.ts";
export { openRecorder, type AuditRecorder, type RecorderOptions } from "./recorder.ts";
export { endOfLog, followLog, lastEntries, readLog, type LogEntry, type LogPosition } from "./read.ts";
export type { IndexProgress } from "./index-store.ts";
export { query, recordById, stats, type Answer, type QueryOptions } from "./query.ts";
export type { AuditFilter } from "./filter.ts";
export type { AuditStats, HookStats, VerdictCounts } from "./stats.ts";
export { verify, type Problem, type Verified } from "./verify.ts";
export type { ApprovalRecord, AuditRecord, DecisionRecord, DetachedRecord, RecordedGate, RecordedHook, RecordedTool } from "./record.ts";
export { series, type Series, type SeriesPoint } from "./series.ts";
