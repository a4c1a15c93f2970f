import { type Block, identityOf } from "../dist/array/block.ts";
import { checkLocals } from "../dist/array/check-locals.ts";
import { corrupted } from "../dist/array/corrupt.ts";
import { requireDevices } from "../dist/array/device-lost.ts";
import { DistTensor } from "../dist/array/index.ts";
import { inferShape } from "../dist/array/infer-shape.ts";
import { TensorBlock } from "../dist/array/tensor-block.ts";
import { chooseTopology } from "../dist/collectives/topology-of-mesh.ts";
import { currentHealth, type Health } from "../dist/health/index.ts";
import { type Placement, resolveLayout } from "../dist/layout/index.ts";
import type { Mesh } from "../dist/mesh/index.ts";
import { recordOp } from "../profile/index.ts";
import { dtypeInfo } from "../tensor/dtype/index.ts";
import type { Tensor } from "../tensor/index.ts";
import { roofline } from "./roofline.ts";

/** An operation that every device does by itself on what it holds. */
export interface DeviceWork {
  readonly op: string;
  /** On one mesh, at least one. */
  readonly inputs: readonly DistTensor[];
  /** Of the result. */
  readonly placements: readonly Placement[];
  /** What each device computes from its part of each input. */
  readonly compute: (locals: readonly Tensor[]) => Tensor;
  /** Floating-point operations of one device. */
  readonly flops: (locals: readonly Tensor[], out: Tensor) => number;
}

/** What one device had to do. */
export interface DeviceCost {
  readonly flops: number;
  readonly bytes: number;
  /** How many times longer this device takes than it could. @default 1 */
  readonly factor?: number;
}

/**
 * Computes on every device of a mesh. Devices that hold the same compute once, and share the result.
 *
 * @throws E_DESYNC, E_DEVICE_LOST, E_TIMEOUT, E_CUDA; what `compute` throws.
 */
export function onDevices({ op, inputs, placements, compute, flops }: DeviceWork): DistTensor {
  const [first] = inputs as [DistTensor];
  const { mesh } = first;
  const ranks = [...mesh.devices.keys()];
  for (const input of inputs) checkLocals(input, { op, ranks });
  const health = currentHealth();
  requireDevices({ health, op, mesh, ranks, phase: "compute" });
  const known = new Map<string, { readonly block: Block; readonly cost: DeviceCost }>();
  const costs: DeviceCost[] = [];
  const held = ranks.map((rank) => {
    const blocks = inputs.map((input) => input.block(rank));
    const key = identityOf(blocks);
    let made = known.get(key);
    if (made === undefined) {
      const locals = blocks.map((block) => block.tensor());
      const out = compute(locals);
      made = { block: new TensorBlock(out), cost: costOf(locals, out, flops(locals, out)) };
      known.set(key, made);
    }
    costs.push(slowed(made.cost, { health, op, mesh, rank }));
    return corrupted(made.block, { health, op, device: mesh.deviceOf(rank), where: "anywhere" });
  });
  const shape = inferShape(mesh, placements, (rank) => held[rank]?.shape ?? []);
  const { dtype } = held[0] as Block;
  note({ op, mesh, costs, dtype, shape });
  return new DistTensor({
    mesh,
    layout: resolveLayout(placements, { mesh, shape }),
    dtype,
    shape,
    blocks: held,
  });
}

/** What a device has to do, and how many times longer it takes over it. */
function slowed(
  cost: DeviceCost,
  { health, op, mesh, rank }: { health: Health; op: string; mesh: Mesh; rank: number },
): DeviceCost {
  const device = mesh.deviceOf(rank);
  const factor = health.straggle(device);
  if (factor === 1) return cost;
  const text = `device ${device} (rank ${rank}) takes ${factor} times as long`;
  health.note({ kind: "straggling", device }, { op, what: "slowed", text });
  return { ...cost, factor };
}

function costOf(inputs: readonly Tensor[], out: Tensor, flops: number): DeviceCost {
  const bytes = [...inputs, out].reduce(
    (sum, { dtype, size }) => sum + size * dtypeInfo(dtype).bytes,
    0,
  );
  return { flops, bytes };
}

interface Done {
  readonly op: string;
  readonly mesh: Mesh;
  readonly costs: readonly DeviceCost[];
  readonly dtype: DistTensor["dtype"];
  readonly shape: readonly number[];
}

function note({ op, mesh, costs, dtype, shape }: Done): void {
  recordOp(() => {
    const { topology, isAssumed } = chooseTopology(mesh);
    const { timeUs, peakGflops } = roofline(topology.gpu, dtype, costs);
    return {
      op,
      kind: "compute",
      bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
      flops: costs.reduce((sum, { flops }) => sum + flops, 0),
      devices: mesh.size,
      groups: 1,
      timeUs,
      source: "modelled",
      dtype,
      shape,
      topology: topology.name,
      peakGflops,
      notes: [
        `MODELLED by the roofline of one ${topology.gpu.name}: no launch overhead, perfect overlap`,
        ...(isAssumed
          ? [`TOPOLOGY_ASSUMED the mesh names none; modelled as ${topology.name}`]
          : []),
        ...(costs.some(({ factor = 1 }) => factor > 1)
          ? ["STRAGGLER all wait for a device that takes longer than it could"]
          : []),
      ],
    };
  });
}
