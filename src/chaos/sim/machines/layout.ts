import assert from "node:assert/strict";
import type { Fleet } from "../../plan/index.ts";

/** What fails together. */
export type FateDomain = "device" | "node" | "rack";

/** Who is where. Slots are devices, numbered over all nodes; spare nodes come last. */
export interface FleetLayout {
  readonly slots: number;
  readonly nodes: number;
  readonly racks: number;
  readonly devicesPerNode: number;
  /** The first slot of a spare node; `slots` when there is none. */
  readonly firstSpareSlot: number;
  nodeOf(slot: number): number;
  rackOf(node: number): number;
  slotsOfNode(node: number): readonly number[];
  nodesOfRack(rack: number): readonly number[];
  /** All slots that go when this one goes for a reason that takes its whole device, node or rack. */
  sharingFate(slot: number, domain: FateDomain): readonly number[];
}

const slotsMax = 2 ** 20;

/** The places of a fleet: its nodes, then its spare nodes, in racks one after the other. */
export function layOut(fleet: Fleet): FleetLayout {
  const { devicesPerNode, nodesPerRack } = fleet;
  const nodes = fleet.nodes + fleet.spareNodes;
  const slots = nodes * devicesPerNode;
  assert(devicesPerNode >= 1 && nodesPerRack >= 1, "nodes have devices, and racks have nodes");
  assert(slots >= 1 && slots <= slotsMax, `a fleet has 1 to ${slotsMax} devices`);
  const racks = Math.ceil(nodes / nodesPerRack);
  const slotsOfNode = (node: number) => range(node * devicesPerNode, devicesPerNode);
  const nodesOfRack = (rack: number) => {
    const first = rack * nodesPerRack;
    return range(first, Math.min(nodesPerRack, nodes - first));
  };
  // Asked for every message: looked up, not divided.
  const nodeBySlot = Int32Array.from({ length: slots }, (_, slot) =>
    Math.floor(slot / devicesPerNode),
  );
  const rackByNode = Int32Array.from({ length: nodes }, (_, node) =>
    Math.floor(node / nodesPerRack),
  );
  const nodeOf = (slot: number) => nodeBySlot[slot] as number;
  const rackOf = (node: number) => rackByNode[node] as number;
  return {
    slots,
    nodes,
    racks,
    devicesPerNode,
    firstSpareSlot: fleet.nodes * devicesPerNode,
    nodeOf,
    rackOf,
    slotsOfNode,
    nodesOfRack,
    sharingFate: (slot, domain) => {
      if (domain === "device") return [slot];
      const node = nodeOf(slot);
      return domain === "node"
        ? slotsOfNode(node)
        : nodesOfRack(rackOf(node)).flatMap((one) => slotsOfNode(one));
    },
  };
}

function range(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
