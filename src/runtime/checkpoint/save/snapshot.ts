import { TesseraError } from "../../../platform/errors/index.ts";
import { CudaTensor } from "../../cuda/tensor/index.ts";
import type { Block } from "../../dist/array/block.ts";
import { checkLocals } from "../../dist/array/check-locals.ts";
import { deviceLost } from "../../dist/array/device-lost.ts";
import { DistTensor } from "../../dist/array/index.ts";
import { TensorBlock } from "../../dist/array/tensor-block.ts";
import { wholeOf } from "../../dist/array/whole.ts";
import { currentHealth } from "../../dist/health/index.ts";
import { localSlices, type Placement } from "../../dist/layout/index.ts";
import type { DimSlice } from "../../dist/layout/split.ts";
import type { Mesh } from "../../dist/mesh/index.ts";
import type { DType } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import { isTag, parseCheckpointName } from "../manifest/index.ts";
import type { SaveOptions } from "../options.ts";
import type { State } from "../state.ts";
import { flattenState, type TensorLeaf } from "../values/index.ts";
import { stepOf } from "./step-of.ts";

/** Elements of the whole, and the writers that hold them. */
export interface HeldBox {
  readonly slices: readonly DimSlice[];
  readonly ranks: readonly number[];
}

/** A tensor of the state as it was when save was called. */
export interface SnapshotTensor {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly layout: readonly Placement[] | null;
  /** Distinct, none empty, together the whole. */
  readonly boxes: readonly HeldBox[];
  /** What a writer holds: in this process any, of a world's ranks only its own. */
  block(rank: number): Block;
  /** All of it, to be read in pieces. Only where this process holds all of it. */
  whole(): Block;
}

/** A state that no longer changes. */
export interface Snapshot {
  readonly tag: string;
  readonly step: number | null;
  readonly parent: string | null;
  readonly mesh: Mesh | null;
  /** How many share the work: ranks of the mesh or of the world. */
  readonly writers: number;
  /** By name. */
  readonly tensors: readonly SnapshotTensor[];
  readonly values: unknown;
}

/**
 * Takes the state as it is now. Tensors are values, so that nothing is copied but what lies on GPUs.
 *
 * @throws E_CHECKPOINT_STATE; E_DESYNC and E_DEVICE_LOST as for reading the tensors.
 */
export function takeSnapshot(tag: string, state: State, options: SaveOptions): Snapshot {
  if (!isTag(tag)) {
    const problem = "a tag is 1 to 128 letters, digits, dots, dashes or underscores, no dot first";
    throw refused(String(tag), problem);
  }
  const { parent = null, world } = options;
  if (parent !== null && parseCheckpointName(parent) === undefined) {
    throw refused(tag, `${JSON.stringify(parent)} is no name of a parent`);
  }
  const { tensors, values } = flattenState(state, { tag });
  const mesh = meshOf(tag, tensors, options);
  if (world !== undefined && mesh !== null && mesh.size !== world.worldSize) {
    throw refused(tag, `${world.worldSize} ranks cannot hold a mesh of ${mesh.size}`);
  }
  const writers = world?.worldSize ?? mesh?.size ?? 1;
  const context = { tag, writers, ...(world === undefined ? {} : { ownRank: world.rank }) };
  return {
    tag,
    step: stepOf(tag, state, options.step),
    parent,
    mesh,
    writers,
    values,
    tensors: [...tensors]
      .map(([name, leaf]) => snapshotOf(name, leaf, context))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
}

export function refused(tag: string, problem: string): TesseraError {
  return new TesseraError("E_CHECKPOINT_STATE", { tag, problem });
}

function meshOf(
  tag: string,
  tensors: ReadonlyMap<string, TensorLeaf>,
  options: SaveOptions,
): Mesh | null {
  let mesh = options.mesh ?? null;
  for (const [name, leaf] of tensors) {
    if (!(leaf instanceof DistTensor)) continue;
    mesh ??= leaf.mesh;
    if (leaf.mesh.equals(mesh)) continue;
    const other = `${leaf.mesh.describe()}; the others are on ${mesh.describe()}`;
    throw refused(tag, `${name} lies on another mesh: ${other}`);
  }
  return mesh;
}

interface Context {
  readonly tag: string;
  readonly writers: number;
  /** Of a world: what other ranks hold is not here. */
  readonly ownRank?: number;
}

function snapshotOf(name: string, leaf: TensorLeaf, context: Context): SnapshotTensor {
  if (leaf instanceof DistTensor) return distributed(name, leaf, context);
  if (!(leaf instanceof CudaTensor)) return undivided(name, leaf, context);
  if (leaf.freed) throw refused(context.tag, `${name} was freed`);
  return undivided(name, leaf.toHost(), context);
}

/** A tensor of the host: every writer has it. */
function undivided(name: string, tensor: Tensor, { writers }: Context): SnapshotTensor {
  const { dtype, shape } = tensor;
  const block = new TensorBlock(tensor);
  const ranks = Array.from({ length: writers }, (_, rank) => rank);
  const slices = shape.map((count) => ({ start: 0, step: 1, count }));
  const boxes = tensor.size === 0 ? [] : [{ slices, ranks }];
  return { name, dtype, shape, layout: null, boxes, block: () => block, whole: () => block };
}

function distributed(name: string, x: DistTensor, { tag, ownRank }: Context): SnapshotTensor {
  const { mesh, layout, dtype, shape } = x;
  if (layout.axesWith("partial").length > 0) {
    throw refused(tag, `${name} holds partial values (${layout.describe()})`);
  }
  const health = currentHealth();
  const boxes = new Map<string, { slices: DimSlice[]; ranks: number[]; all: number[] }>();
  for (const [rank, device] of mesh.devices.entries()) {
    const slices = localSlices(layout, { mesh, shape, rank }).map(normal);
    if (slices.some(({ count }) => count === 0)) continue;
    const key = slices.map(({ start }) => start).join(",");
    const box = boxes.get(key) ?? { slices, ranks: [], all: [] };
    boxes.set(key, box);
    box.all.push(rank);
    if (!health.isDead(device)) box.ranks.push(rank);
  }
  const lost = [...boxes.values()].filter(({ ranks }) => ranks.length === 0);
  if (lost.length > 0) {
    const ranks = lost.flatMap(({ all }) => all);
    throw deviceLost({ op: "checkpoint.save", mesh, ranks, phase: "read" });
  }
  const held = [...boxes.values()].map(({ slices, ranks }) => ({ slices, ranks }));
  const living = held.flatMap(({ ranks }) => ranks);
  checkLocals(x, {
    op: "checkpoint.save",
    ranks: ownRank === undefined ? living : living.filter((rank) => rank === ownRank),
  });
  return {
    name,
    dtype,
    shape,
    layout: layout.placements,
    boxes: held,
    block: (rank) => x.block(rank),
    // Which devices live is a matter of the moment in which save was called.
    whole:
      ownRank === undefined
        ? (
            (whole) => () =>
              whole
          )(wholeOf(x))
        : () => x.block(ownRank),
  };
}

/** Of one index, any step would say the same. */
function normal(slice: DimSlice): DimSlice {
  return slice.count === 1 ? { ...slice, step: 1 } : slice;
}
