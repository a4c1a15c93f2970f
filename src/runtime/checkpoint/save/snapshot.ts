import { TesseraError } from "../../../platform/errors/index.ts";
import { CudaTensor } from "../../cuda/tensor/index.ts";
import type { Block } from "../../dist/array/block.ts";
import { checkLocals } from "../../dist/array/check-locals.ts";
import { isReadable, requireDevices } from "../../dist/array/device-lost.ts";
import { DistTensor } from "../../dist/array/index.ts";
import { TensorBlock } from "../../dist/array/tensor-block.ts";
import { wholeOf } from "../../dist/array/whole.ts";
import { currentHealth } from "../../dist/health/index.ts";
import type { Placement } from "../../dist/layout/index.ts";
import type { Mesh } from "../../dist/mesh/index.ts";
import type { DType } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import { isTag, parseCheckpointName } from "../manifest/index.ts";
import type { SaveOptions } from "../options.ts";
import type { State } from "../state.ts";
import { flattenState, type TensorLeaf } from "../values/index.ts";
import { boxesOfAll, boxesOnMesh, type HeldBox } from "./held-boxes.ts";
import { stepOf } from "./step-of.ts";

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
  requireTag(tag);
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

/** @throws E_CHECKPOINT_STATE for what can name no checkpoint */
export function requireTag(tag: unknown): void {
  if (isTag(tag)) return;
  const problem = "a tag is 1 to 128 letters, digits, dots, dashes or underscores, no dot first";
  throw refused(String(tag), problem);
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
    const before = options.mesh === undefined ? "the tensors before it on" : "the option mesh is";
    const problem = `${name} lies on ${leaf.mesh.describe()}, and ${before} ${mesh.describe()}: a checkpoint has one mesh`;
    const hint =
      "Save what lies on each mesh under a tag or root of its own, or bring all of it to one mesh first (`dist.distribute(x.toTensor(), { mesh, layout })`).";
    throw new TesseraError("E_CHECKPOINT_STATE", { tag, problem }, { hint });
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
  const boxes = boxesOfAll(shape, writers);
  return { name, dtype, shape, layout: null, boxes, block: () => block, whole: () => block };
}

function distributed(name: string, x: DistTensor, { tag, ownRank }: Context): SnapshotTensor {
  const { mesh, layout, dtype, shape } = x;
  if (layout.axesWith("partial").length > 0) {
    throw refused(tag, `${name} holds partial values (${layout.describe()})`);
  }
  const health = currentHealth();
  const isAlive = (rank: number) => isReadable(health, mesh.deviceOf(rank));
  const boxes = boxesOnMesh(layout, { mesh, shape });
  const lost = boxes.flatMap(({ ranks }) => (ranks.some(isAlive) ? [] : ranks));
  if (lost.length > 0) {
    requireDevices({ health, op: "checkpoint.save", mesh, ranks: lost, phase: "read" });
  }
  const held = boxes.map(({ slices, ranks }) => ({ slices, ranks: ranks.filter(isAlive) }));
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
