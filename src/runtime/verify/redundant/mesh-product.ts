import type { TesseraError } from "../../../platform/errors/index.ts";
import { type Block, identityOf } from "../../dist/array/block.ts";
import { checkLocals } from "../../dist/array/check-locals.ts";
import { corrupted } from "../../dist/array/corrupt.ts";
import { requireDevices } from "../../dist/array/device-lost.ts";
import { DistTensor } from "../../dist/array/index.ts";
import { inferShape } from "../../dist/array/infer-shape.ts";
import { linkCut } from "../../dist/array/link-cut.ts";
import { TensorBlock } from "../../dist/array/tensor-block.ts";
import { chooseTopology } from "../../dist/collectives/topology-of-mesh.ts";
import { currentHealth, type Health } from "../../dist/health/index.ts";
import { type Placement, resolveLayout } from "../../dist/layout/index.ts";
import type { Mesh } from "../../dist/mesh/index.ts";
import { type Operand, onOneMesh } from "../../op/operand.ts";
import { matmulPlan } from "../../op/rules/matmul.ts";
import { type MatmulOptions, matmul } from "../../tensor/ops/index.ts";

/** A product that the devices of a mesh are about to compute. */
export interface MeshProduct {
  readonly mesh: Mesh;
  readonly inputs: readonly DistTensor[];
  readonly placements: readonly Placement[];
  readonly options: MatmulOptions;
  readonly health: Health;
}

const op = "matmul";

/**
 * Lays a product out as `op.matmul` does.
 *
 * @throws E_SHAPE, E_DTYPE, E_LAYOUT_OP, E_DESYNC, E_DEVICE_LOST
 */
export function meshProductOf(
  [a, b]: readonly [Operand, Operand],
  options: MatmulOptions,
): MeshProduct | undefined {
  const distributed = onOneMesh(op, [a, b]);
  if (distributed === undefined) return undefined;
  const { inputs, placements } = matmulPlan(distributed as [DistTensor, DistTensor], op);
  const { mesh } = inputs[0] as DistTensor;
  const ranks = [...mesh.devices.keys()];
  for (const input of inputs) checkLocals(input, { op, ranks });
  const health = currentHealth();
  requireDevices({ health, op, mesh, ranks, phase: "compute" });
  return { mesh, inputs, placements, options, health };
}

/**
 * The ranks whose devices can compute a rank's part, nearest first: itself, then those after it on the
 * mesh that operands get to and a result gets back from.
 */
export function workersFor({ mesh, health }: MeshProduct, rank: number): readonly number[] {
  const others = Array.from({ length: mesh.size - 1 }, (_, at) => (rank + 1 + at) % mesh.size);
  if (!health.hasCuts) return [rank, ...others];
  const isUp = (from: number, to: number) =>
    health.linkBetween(mesh.deviceOf(from), mesh.deviceOf(to), mesh) === "up";
  return [rank, ...others.filter((other) => isUp(rank, other) && isUp(other, rank))];
}

/** Refuses a second computation where no other device can be reached. */
export function noWorker({ mesh, health }: MeshProduct, rank: number): TesseraError<"E_PARTITION"> {
  const ends = { from: { mesh, rank }, to: { mesh, rank: (rank + 1) % mesh.size } };
  return linkCut({ health, op, phase: "redundant compute", ...ends });
}

/**
 * Every rank's part, computed by the device of the rank that `workerOf` names: with that device's wrong
 * bits, if it has some. Parts from the same inputs are multiplied once.
 */
export function computeParts(
  product: MeshProduct,
  workerOf: (rank: number) => number,
): readonly Block[] {
  const { mesh, inputs, options, health } = product;
  const known = new Map<string, Block>();
  return mesh.devices.map((_, rank) => {
    const blocks = inputs.map((input) => input.block(rank)) as [Block, Block];
    const key = identityOf(blocks);
    const [a, b] = blocks;
    const made = known.get(key) ?? new TensorBlock(matmul(a.tensor(), b.tensor(), options));
    known.set(key, made);
    const device = mesh.deviceOf(workerOf(rank));
    return corrupted(made, { health, op, device, where: "anywhere" });
  });
}

/** The result from its parts, with how it was made. */
export function assemble(
  { mesh, placements }: MeshProduct,
  blocks: readonly Block[],
  notes: readonly string[],
): DistTensor {
  const shape = inferShape(mesh, placements, (rank) => blocks[rank]?.shape ?? []);
  const { dtype } = blocks[0] as Block;
  return new DistTensor({
    mesh,
    layout: resolveLayout(placements, { mesh, shape }),
    dtype,
    shape,
    blocks,
    provenance: () => {
      const { topology, isAssumed } = chooseTopology(mesh);
      return {
        op,
        axes: mesh.axes,
        algorithm: "redundant",
        topology: topology.name,
        topologyAssumed: isAssumed,
        meshFingerprint: mesh.fingerprint,
        notes,
      };
    },
  });
}
