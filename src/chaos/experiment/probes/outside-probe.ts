import type { Probe } from "../../plan/index.ts";

/** A question about the world around the job; the others are answered from what the job did. */
export type OutsideProbe = Extract<Probe, { kind: "http" | "command" | "kubernetes" | "promql" }>;

export function isOutside(probe: Probe): probe is OutsideProbe {
  return probe.kind !== "throughput" && probe.kind !== "progress";
}
