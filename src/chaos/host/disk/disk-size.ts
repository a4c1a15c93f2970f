import type { FaultParams } from "../../fault/catalogue/index.ts";
import { bytesOfJob } from "../../numerics/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";

/** Beside what retention keeps: one that is being written, and what is left of one that failed. */
const moreCheckpoints = 2;
/** Of what a checkpoint holds; its manifest and the ends of pages come on top. */
const stateFactor = 2;
const fileBytes = 64 * 1024;
/** Manifest, commit, and what stands beside them for a moment. */
const moreFiles = 4;

/**
 * Room for all checkpoints that a job ever has at once, and what its faults leave free on top of that. Whoever
 * fills the disk takes no more memory than the first.
 */
export function diskSizeOf(plan: ChaosPlan): {
  readonly jobBytes: number;
  readonly sizeBytes: number;
} {
  const { workload, faults } = plan;
  if (workload.kind !== "training") return { jobBytes: 0, sizeBytes: 0 };
  const { job, checkpoint, shape } = workload;
  const ranks = shape.dp * shape.tp * shape.pp;
  const files = (ranks + moreFiles) * fileBytes;
  const each = stateFactor * bytesOfJob(job).state + files;
  const jobBytes = (checkpoint.keep + moreCheckpoints) * each;
  const freeBytes = faults
    .filter(({ fault }) => fault === "full_storage")
    .map(({ params }) => (params as FaultParams<"full_storage">).freeBytes);
  return { jobBytes, sizeBytes: jobBytes + Math.max(0, ...freeBytes) };
}
