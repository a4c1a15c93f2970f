import type { OpRecord } from "./record.ts";

/** Bytes a second, in GB/s; undefined without a time to divide by. */
export function gbPerSecond({ bytes, timeUs }: OpRecord): number | undefined {
  return isPositive(timeUs) ? bytes / timeUs / 1000 : undefined;
}

/** Achieved TFLOP/s; undefined for what computes nothing or took no known time. */
export function tflops({ flops, timeUs }: OpRecord): number | undefined {
  return isPositive(timeUs) && flops > 0 ? flops / timeUs / 1e6 : undefined;
}

/**
 * How much of what is possible was used: of a collective, bus bandwidth over the link of one GPU;
 * of computing, achieved over peak FLOP/s. Not capped: more than 100 means that the peak is wrong.
 */
export function efficiencyPercent(record: OpRecord): number | undefined {
  if (record.kind === "collective") return record.linkPercent;
  const achieved = tflops(record);
  if (achieved === undefined || !isPositive(record.peakGflops)) return undefined;
  return ((achieved * 1000) / record.peakGflops) * 100;
}

/** An operation's rates by the names that telemetry and traces give them; null for the unknown. */
export function ratesOf(record: OpRecord) {
  return {
    algbw_gbps: record.algbwGBps ?? null,
    busbw_gbps: record.busbwGBps ?? null,
    link_pct: record.linkPercent ?? null,
    bisection_pct: record.bisectionPercent ?? null,
    aggregate_pct: record.aggregatePercent ?? null,
    efficiency_pct: efficiencyPercent(record) ?? null,
  };
}

function isPositive(value: number | undefined): value is number {
  return value !== undefined && value > 0;
}
