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

function isPositive(value: number | undefined): value is number {
  return value !== undefined && value > 0;
}
