import { type DType, dtypeInfo } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { NestedNumbers } from "../../tensor/nested-numbers.ts";
import type { ChunkSource } from "../../tensor/reduce/index.ts";
import { shapeError, sizeOf } from "../../tensor/shape.ts";
import { currentHealth } from "../health/index.ts";
import {
  type Layout,
  type LayoutSpec,
  resolveLayout,
  type ShardingReport,
  shardingReport,
} from "../layout/index.ts";
import type { Mesh } from "../mesh/index.ts";
import { type RedistributeOptions, redistribute } from "../redistribute/index.ts";
import type { Block } from "./block.ts";
import { contentDigests, digestOfBlock } from "./digests.ts";
import { inferShape } from "./infer-shape.ts";
import { flipOf, PatchedBlock } from "./patched-block.ts";
import type { Provenance } from "./provenance.ts";
import { TensorBlock } from "./tensor-block.ts";
import { wholeOf } from "./whole.ts";

/** Every rank's own data: by rank, or made for each rank once. */
export type LocalsOf = readonly Tensor[] | ((rank: number) => Tensor);

export interface FromLocals {
  readonly mesh: Mesh;
  /** Default: replicated. */
  readonly layout?: LayoutSpec | Layout;
  /** Default: what the locals add up to. */
  readonly shape?: readonly number[];
  /** Default: that of rank 0. */
  readonly dtype?: DType;
  readonly locals: LocalsOf;
}

/** What a distributed tensor is made of. */
export interface DistTensorParts {
  readonly mesh: Mesh;
  readonly layout: Layout;
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** By rank. What is computed already is given as a list: a function keeps all it was made from. */
  readonly blocks: readonly Block[] | ((rank: number) => Block);
  /** What the user asked for, so that a report can say when something else came of it. */
  readonly requested?: LayoutSpec | Layout | undefined;
  readonly provenance?: (() => Provenance) | undefined;
}

/**
 * A tensor whose parts lie on the devices of a mesh. It is a value: what changes it gives a new one.
 * Devices that hold the same share the memory of it, and what a rule can make (zeros, random values)
 * has none until it is read.
 */
export class DistTensor {
  readonly mesh: Mesh;
  readonly layout: Layout;
  readonly dtype: DType;
  /** Of the whole. */
  readonly shape: readonly number[];
  /** Elements of the whole. */
  readonly size: number;
  readonly #parts: DistTensorParts;
  readonly #blocks = new Map<number, Block>();
  #provenance: Provenance | undefined;

  constructor(parts: DistTensorParts) {
    this.mesh = parts.mesh;
    this.layout = parts.layout;
    this.dtype = parts.dtype;
    this.shape = Object.freeze([...parts.shape]);
    this.size = sizeOf(parts.shape, "dist.tensor");
    this.#parts = parts;
  }

  /**
   * A tensor from what each device holds. Nothing is compared: locals that do not fit the layout or
   * each other are what `shardingReport()` names and a collective refuses (E_DESYNC).
   *
   * @throws E_SHAPE unless there is one local for each rank; the layout's own errors.
   */
  static fromLocals({ mesh, layout: spec, locals, ...given }: FromLocals): DistTensor {
    const all =
      typeof locals === "function"
        ? Array.from({ length: mesh.size }, (_, rank) => locals(rank))
        : locals;
    const [first] = all;
    if (first === undefined || all.length !== mesh.size) {
      throw shapeError(
        "fromLocals",
        `a mesh of ${mesh.size} devices takes as many locals, not ${all.length}`,
      );
    }
    const known = new Map(all.map((local) => [local, new TensorBlock(local)]));
    const blocks = all.map((local) => known.get(local) ?? new TensorBlock(local));
    const shape = given.shape ?? inferShape(mesh, spec, (rank) => all[rank]?.shape ?? []);
    return new DistTensor({
      mesh,
      layout: resolveLayout(spec, { mesh, shape }),
      dtype: given.dtype ?? first.dtype,
      shape,
      blocks,
      requested: spec,
    });
  }

  /** How the collective that made this tensor worked; undefined for other tensors. */
  get provenance(): Provenance | undefined {
    this.#provenance ??= this.#parts.provenance?.();
    return this.#provenance;
  }

  /**
   * What a device holds, also a dead one: this looks into the simulated memory itself.
   *
   * @throws E_MESH_RANK
   */
  local(rank: number): Tensor {
    return this.block(rank).tensor();
  }

  /** What a device holds, for reading in pieces. @throws E_MESH_RANK */
  source(rank: number): ChunkSource {
    return this.block(rank).source();
  }

  /** @internal What a device holds, perhaps only as a rule. @throws E_MESH_RANK */
  block(rank: number): Block {
    let block = this.#blocks.get(rank);
    if (block === undefined) {
      this.mesh.deviceOf(rank);
      const { blocks } = this.#parts;
      block = typeof blocks === "function" ? blocks(rank) : (blocks[rank] as Block);
      this.#blocks.set(rank, block);
    }
    return block;
  }

  /**
   * The whole tensor, in one place. Of replicas the first on a living device is read.
   *
   * @throws E_LAYOUT_PARTIAL while it holds partial values; E_DESYNC when a device holds something
   *   else than the layout says; E_DEVICE_LOST when no living device holds a part.
   */
  toTensor(): Tensor {
    return wholeOf(this).tensor();
  }

  /** The elements of `toTensor()` as nested lists. */
  toArray(): NestedNumbers {
    return this.toTensor().toArray();
  }

  /** The digest of `toTensor()`, without putting the tensor together. @throws as `toTensor()` */
  digest(): string {
    return digestOfBlock(wholeOf(this));
  }

  /** True when `shardingReport()` has no errors. */
  shardingValid(): boolean {
    return this.shardingReport().valid;
  }

  /** Every error and warning about layout, locals and devices, with rank and coordinates. */
  shardingReport(): ShardingReport {
    const { mesh, shape, dtype, layout } = this;
    const { requested } = this.#parts;
    const digests = contentDigests(this);
    return shardingReport({
      mesh,
      shape,
      dtype,
      layout,
      ...(requested === undefined ? {} : { requested }),
      locals: {
        shape: (rank) => this.block(rank).shape,
        dtype: (rank) => this.block(rank).dtype,
        digest: digests,
      },
      deadDevices: currentHealth().deadDevices,
    });
  }

  /** The same values in another layout or on another mesh. @throws E_REDISTRIBUTE */
  redistribute(options: RedistributeOptions): DistTensor {
    return redistribute(this, options);
  }

  /** `DistTensor.fromLocals`, for code that has a tensor at hand and not the class. */
  remade(options: FromLocals): DistTensor {
    return DistTensor.fromLocals(options);
  }

  /** The same, but for what one device holds. @throws E_MESH_RANK */
  withLocal(rank: number, local: Tensor): DistTensor {
    this.mesh.deviceOf(rank);
    return this.#withBlock(rank, new TensorBlock(local));
  }

  /**
   * The same, but for one bit of what one device holds. Nothing is copied.
   *
   * @param flip `index` is row-major in the device's own data, `bit` counts from the lowest.
   * @throws E_MESH_RANK, E_SHAPE
   */
  withBitFlip(flip: { readonly rank: number; readonly index: number; readonly bit: number }) {
    const { rank, index, bit } = flip;
    const block = this.block(rank);
    const bits = 8 * dtypeInfo(block.dtype).bytes;
    if (!isIndex(index, block.size) || !isIndex(bit, bits)) {
      throw shapeError(
        "withBitFlip",
        `rank ${rank} holds ${block.size} elements of ${bits} bits, and no bit ${bit} of element ${index}`,
      );
    }
    return this.#withBlock(rank, new PatchedBlock(block, [flipOf({ index, bit })]));
  }

  /** `f32[1000, 1000] over tp × pp mesh, …`. */
  toString(): string {
    return `${this.dtype}[${this.shape.join(", ")}] ${this.layout.describe()} on ${this.mesh.describe()}`;
  }

  #withBlock(changed: number, block: Block): DistTensor {
    return new DistTensor({
      ...this.#parts,
      provenance: undefined,
      blocks: (rank) => (rank === changed ? block : this.block(rank)),
    });
  }
}

function isIndex(value: number, length: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < length;
}
