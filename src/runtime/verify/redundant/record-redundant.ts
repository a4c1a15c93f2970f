import type { DistTensor } from "../../dist/array/index.ts";
import { chooseTopology } from "../../dist/collectives/topology-of-mesh.ts";
import { roofline } from "../../op/roofline.ts";
import { recordOp } from "../../profile/index.ts";
import { dtypeInfo } from "../../tensor/dtype/index.ts";
import type { MeshProduct } from "./mesh-product.ts";

/** Tells the profile of a second product on a mesh: the same work as the first, on other devices. */
export function recordRedundant(
  { mesh, inputs }: MeshProduct,
  y: DistTensor,
  notes: readonly string[],
): void {
  recordOp(() => {
    const costs = mesh.devices.map((_, rank) => {
      const out = y.block(rank);
      const held = [...inputs.map((input) => input.block(rank)), out];
      const bytes = held.reduce((sum, one) => sum + one.size * dtypeInfo(one.dtype).bytes, 0);
      return { bytes, flops: 2 * out.size * (held[0]?.shape.at(-1) ?? 0) };
    });
    const { topology, isAssumed } = chooseTopology(mesh);
    const { timeUs, peakGflops } = roofline(topology.gpu, y.dtype, costs);
    return {
      op: "matmul",
      kind: "compute",
      bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
      flops: costs.reduce((sum, { flops }) => sum + flops, 0),
      devices: mesh.size,
      groups: 1,
      timeUs,
      source: "modelled",
      dtype: y.dtype,
      shape: y.shape,
      topology: topology.name,
      peakGflops,
      notes: [
        ...notes,
        `MODELLED by the roofline of one ${topology.gpu.name}: no launch overhead, perfect overlap`,
        "WITHOUT_TRANSFERS the way of operands and results between devices is not in the time",
        ...(isAssumed
          ? [`TOPOLOGY_ASSUMED the mesh names none; modelled as ${topology.name}`]
          : []),
      ],
    };
  });
}
