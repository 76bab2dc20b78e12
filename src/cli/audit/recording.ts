/** What a command records while it runs. */
import { joinRecorders, type Recorder } from "../../model/recorder.ts";
import type { Surface, Words } from "../command.ts";
import { auditPlace } from "./place.ts";

/** Recorders that are open: spread `options` into those of an engine, a session or a bridge. */
export interface Recording {
  readonly options: { readonly recorder?: Recorder };
  /** Ends the record in good order and sends what is still to be sent. */
  close(): Promise<void>;
}

/** Opens what the environment asks for. `byDefault`: record unless told not to; else only when told to. */
export async function openRecording(words: Words, surface: Surface, { byDefault }: { readonly byDefault: boolean }): Promise<Recording> {
  const { folder, required, asked } = auditPlace(surface);
  const wanted = folder !== null && !words.flags["no-audit"] && (asked || byDefault);
  const log = wanted ? await openLog(folder, { required, env: surface.env }) : null;
  const telemetry = isTraced(surface.env) ? await openTraces(surface) : null;
  const recorder = joinRecorders([...(log ? [log] : []), ...(telemetry ? [telemetry] : [])]);
  return {
    options: recorder ? { recorder } : {},
    close: async () => {
      log?.close();
      await telemetry?.close();
    },
  };
}

async function openLog(folder: string, { required, env }: { required: boolean; env: Surface["env"] }): Promise<Recorder & { close(): void }> {
  const [{ openRecorder }, { secretValues }] = await Promise.all([import("../../audit/recorder.ts"), import("../../audit/redact.ts")]);
  return openRecorder({ folder, required, secrets: secretValues(env) });
}

async function openTraces({ env, stderr }: Surface): Promise<Recorder & { close(): Promise<void> }> {
  const [{ openTelemetry }, { VERSION }] = await Promise.all([import("../../telemetry/telemetry.ts"), import("../version.ts")]);
  return openTelemetry({ env, version: VERSION, onProblem: (message) => stderr(`snaphook: ${message}\n`) });
}

/** Nothing of telemetry is loaded where nothing is configured. */
function isTraced(env: Surface["env"]): boolean {
  return env["OTEL_SDK_DISABLED"]?.toLowerCase() !== "true" && ENDPOINTS.some((name) => Boolean(env[name]));
}

const ENDPOINTS = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"];
