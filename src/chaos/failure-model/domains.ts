import type { FailureModel } from "./failure-model.ts";
import type { Extent } from "./incident.ts";

/** Nodes that go down together, for a fleet in the order of its racks. */
export function nodesHit(
  model: FailureModel,
  fleetNodes: number,
  { node, extent }: { readonly node: number; readonly extent: Extent },
): readonly number[] {
  const size = Math.max(1, Math.round(nodesOf(model, extent)));
  const first = Math.floor(node / size) * size;
  const count = Math.min(size, fleetNodes - first);
  return Array.from({ length: count }, (_, index) => first + index);
}

function nodesOf({ together }: FailureModel, extent: Extent): number {
  switch (extent) {
    case "device":
    case "node":
    case "link":
      return 1;
    case "tor":
      return together.nodesPerTor.value;
    case "rack":
      return together.nodesPerRack.value;
    case "power":
      return together.nodesPerRack.value * together.racksPerPower.value;
  }
}

/** Of the failures of a network, those that take a switch and all nodes below it. */
export function torShare({ together }: FailureModel): number {
  const { torPerMonth, linkPerMonth, linksPerNode, nodesPerTor } = together;
  const links = linkPerMonth.value * linksPerNode.value * nodesPerTor.value;
  return torPerMonth.value / (torPerMonth.value + links);
}
