import { nodeNames } from "../../../runtime/ranks/slurm/index.ts";
import type { SlurmFacts } from "./open-slurm-ranks.ts";

/** Where the ranks ran, a sentence; none when they ran on this host. */
export function slurmRemarks(facts: Readonly<Record<string, unknown>>): readonly string[] {
  if (facts["slurm"] === undefined) return [];
  // Put there by us, beside what the ranks said.
  const { release, jobId, partition, nodes } = facts["slurm"] as SlurmFacts;
  return [`Job ${jobId} of Slurm ${release}, partition ${partition}, on ${nodeNames(nodes)}.`];
}
