import type { Topology } from "../../dist/topology/index.ts";
import type { Split } from "../workload/types.ts";

/** Devices that communicate, and how many of them share a domain. */
export interface StepGroup {
  readonly devices: number;
  readonly devicesPerDomain: number;
  /** Such groups that share one domain's links. */
  readonly concurrentGroups: number;
}

/** The groups of a division, ranks laid out with tensor fastest, then data, then pipeline. */
export function groupsOf(
  { tensor, data }: Split,
  { domainGpus }: Topology,
): { readonly tensor: StepGroup; readonly data: StepGroup; readonly neighbours: StepGroup } {
  const tensorHere = Math.min(tensor, domainGpus);
  const replicasHere = Math.max(1, Math.floor(domainGpus / tensor));
  const dataHere = Math.min(data, replicasHere);
  // The next stage is a whole block of tensor x data ranks away.
  const stagesMeet = 2 * tensor * data <= domainGpus;
  return {
    tensor: {
      devices: tensor,
      devicesPerDomain: tensorHere,
      concurrentGroups: Math.max(1, Math.floor(domainGpus / tensorHere)),
    },
    data: {
      devices: data,
      devicesPerDomain: dataHere,
      concurrentGroups: Math.max(1, Math.floor(domainGpus / dataHere)),
    },
    neighbours: { devices: 2, devicesPerDomain: stagesMeet ? 2 : 1, concurrentGroups: 1 },
  };
}
