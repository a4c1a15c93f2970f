import type { Provenance } from "../../platform/words.ts";
import { gbPerSecond, ratesOf, tflops } from "./rates.ts";
import type { OpRecord } from "./record.ts";
import type { KeptOp, SessionLog } from "./session-log.ts";

/**
 * One operation as `tessera.telemetry.v1` tells it. The names are the format's own. Fields that only
 * a compiler or a real GPU could fill are always null here.
 */
export interface TelemetryEvent {
  readonly name: string;
  readonly source: Provenance;
  readonly op: OpRecord["kind"];
  readonly shape: readonly number[] | null;
  readonly dtype: string | null;
  /** The topology whose model gave the time. */
  readonly arch: string | null;
  readonly graph_hash: null;
  readonly schedule_hash: null;
  readonly kernel_id: string | null;
  readonly device: null;
  readonly stream: null;
  readonly rank: null;
  readonly latency_ms: number | null;
  readonly tflops: number | null;
  readonly bandwidth_gbps: number | null;
  readonly memory_bytes: number;
  readonly status: "ok" | "unmeasured";
  readonly counters: Readonly<Record<string, number | null>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Seconds since the Unix epoch. */
  readonly timestamp: number;
  readonly bottleneck: "collective_or_overlap" | "failed_or_unmeasured" | "unknown";
}

export interface Telemetry {
  readonly schema: "tessera.telemetry.v1";
  /** Operations, marks and regions that are not here, because the session was full. */
  readonly dropped: number;
  readonly events: readonly TelemetryEvent[];
}

export function telemetryOf(log: SessionLog): Telemetry {
  return { schema: "tessera.telemetry.v1", dropped: log.dropped, events: log.ops.map(eventOf) };
}

function eventOf({ record, atMs }: KeptOp): TelemetryEvent {
  const { timeUs } = record;
  return {
    name: record.op,
    source: record.source,
    op: record.kind,
    shape: record.shape ?? null,
    dtype: record.dtype ?? null,
    arch: record.topology ?? null,
    graph_hash: null,
    schedule_hash: null,
    kernel_id: record.algorithm ?? null,
    device: null,
    stream: null,
    rank: null,
    latency_ms: timeUs === undefined ? null : timeUs / 1000,
    tflops: tflops(record) ?? null,
    bandwidth_gbps: gbPerSecond(record) ?? null,
    memory_bytes: record.bytes,
    status: timeUs === undefined ? "unmeasured" : "ok",
    counters: {
      devices: record.devices,
      groups: record.groups,
      flops: record.flops,
      ...ratesOf(record),
    },
    metadata: { axes: record.axes ?? null, notes: record.notes ?? [] },
    timestamp: atMs / 1000,
    bottleneck: bottleneckOf(record),
  };
}

function bottleneckOf(record: OpRecord): TelemetryEvent["bottleneck"] {
  if (record.timeUs === undefined) return "failed_or_unmeasured";
  return record.kind === "collective" ? "collective_or_overlap" : "unknown";
}
