import { corrupted } from "../../dist/array/corrupt.ts";
import { TensorBlock } from "../../dist/array/tensor-block.ts";
import { currentHealth, type Mesh, type Rank } from "../../dist/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { CollectiveCall } from "../options.ts";
import type { ShareMemo } from "./share-memo.ts";
import { type ParallelAxis, type Place, parallelAxes, type StepLinks } from "./step-links.ts";

export interface MeshLinksOptions {
  readonly rank: Rank;
  readonly shared: ShareMemo;
  /** Called first; what it throws fails the rank. */
  readonly before: (call: Omit<CollectiveCall, "step">) => void;
}

/** Links between the ranks of an `spmd` program: health, profiles and corruption apply to them. */
export function createMeshLinks({ rank, shared, before }: MeshLinksOptions): StepLinks {
  const { mesh, index, device } = rank;
  const rankOfStage = (stage: number) =>
    mesh.rankOf(rank.coordinates.with(mesh.axisIndex("pp"), stage));
  return {
    place: placeOf(mesh, index),
    shared,
    allReduce: (tensor, { over: wanted, name }) => {
      const over = wanted.filter((axis) => mesh.axes.includes(axis));
      before({ name, op: "all-reduce", rank: index, group: mesh.groupOf(index, over) });
      // Whole numbers add up exactly in any order, and one after the other is fastest; other numbers
      // are rounded once.
      const order = tensor.dtype === "f64" ? "rank" : "exact";
      return rank.allReduce(tensor, { over, order });
    },
    // Neither is async: a send counts as awaited only when the step awaits it.
    send: (tensor, { stage, name }) => {
      const to = rankOfStage(stage);
      before({ name, op: "send", rank: index, group: [index, to] });
      return rank.send(tensor, to, { tag: name });
    },
    recv: ({ stage, name }) => {
      const from = rankOfStage(stage);
      before({ name, op: "recv", rank: index, group: [from, index] });
      return rank.recv(from, { tag: name });
    },
    computed: (op, tensor) => computedOn(device, op, tensor),
  };
}

/** Where a rank of a mesh stands; axes that the mesh does not have are of size 1. */
export function placeOf(mesh: Mesh, rank: number): Place {
  const coordinates = mesh.coordinatesOf(rank);
  const along = (axis: ParallelAxis) =>
    mesh.axes.includes(axis)
      ? { index: coordinates[mesh.axisIndex(axis)] ?? 0, size: mesh.axisSize(axis) }
      : { index: 0, size: 1 };
  const [dp, tp, pp] = parallelAxes.map(along) as [Place["dp"], Place["tp"], Place["pp"]];
  return { dp, tp, pp };
}

/** With the bits turned over that the device turns over in this operation, in silence. */
function computedOn(device: Rank["device"], op: string, tensor: Tensor): Tensor {
  const health = currentHealth();
  if (health.empty) return tensor;
  const block = new TensorBlock(tensor);
  return corrupted(block, { health, op, device, where: "anywhere" }).tensor();
}
