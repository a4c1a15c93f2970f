import { layoutOfCounts } from "../agent/slurm/count-layout.ts";
import { chooseGpus, openSlurmRanks, type SlurmRanks } from "../agent/slurm/open-slurm-ranks.ts";
import type { SlurmPlace } from "../agent/slurm/place.ts";
import type { Invocation } from "../invocation.ts";
import { type ScaleRequest, scaleUsage } from "./request.ts";

/**
 * Nodes for the largest number of ranks. Every number is a step of the one job: all are measured on
 * the same nodes, so that they can be compared, and the queue is waited for once.
 */
export function openScaleRanks(
  invocation: Invocation,
  place: SlurmPlace,
  request: ScaleRequest,
): Promise<SlurmRanks> {
  const { signal } = invocation;
  const gpus = request.device === "cuda";
  return openSlurmRanks(invocation, {
    place,
    name: `tessera-scale-${request.kind}`,
    layout: async (client) => {
      const gpusPerNode = gpus ? await chooseGpus({ client, place, signal }) : () => 0;
      const layout = layoutOfCounts({ ...place, counts: request.ranks, gpus, gpusPerNode });
      if (typeof layout === "string") throw scaleUsage(layout);
      return layout;
    },
  });
}
