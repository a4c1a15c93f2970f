import { boxShape } from "../../dist/array/runs.ts";
import type { Placement } from "../../dist/layout/index.ts";
import type { DimSlice } from "../../dist/layout/split.ts";
import { type DType, dtypeInfo } from "../../tensor/dtype/index.ts";
import { sizeOf } from "../../tensor/shape.ts";
import { chunkKey, planHashOf, shardFileName } from "../manifest/index.ts";
import { headerFor, safetensorsDTypeOf } from "../safetensors/index.ts";
import type { HeldBox } from "./held-boxes.ts";
import { pieceLengths, pieceLimit } from "./piece-lengths.ts";

/** A tensor to be saved: which boxes it is in, and who holds them. */
export interface TensorToPlan {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly layout: readonly Placement[] | null;
  readonly boxes: readonly HeldBox[];
}

export interface PlanInput {
  readonly tag: string;
  /** By name. */
  readonly tensors: readonly TensorToPlan[];
  readonly writers: number;
  readonly pieceBytes?: number | undefined;
}

export interface PlannedChunk {
  readonly tensor: string;
  readonly key: string;
  readonly box: readonly DimSlice[];
  /** The writer that writes it. */
  readonly owner: number;
  readonly file: string;
  /** From the start of the file. */
  readonly offset: number;
  readonly bytes: number;
  /** Of each piece, in bytes. */
  readonly pieces: readonly number[];
}

export interface PlannedFile {
  readonly name: string;
  readonly owner: number;
  readonly header: Uint8Array;
  readonly bytes: number;
  /** In the order of their bytes. */
  readonly chunks: readonly PlannedChunk[];
}

export interface PlannedTensor extends Omit<TensorToPlan, "boxes"> {
  readonly chunks: readonly PlannedChunk[];
}

/** Who writes what, where: a value that every rank makes alike from the same input. */
export interface SavePlan {
  readonly files: readonly PlannedFile[];
  readonly tensors: readonly PlannedTensor[];
  readonly planHash: string;
  readonly dataBytes: number;
}

interface Draft {
  readonly tensor: TensorToPlan;
  readonly key: string;
  readonly box: readonly DimSlice[];
  readonly bytes: number;
  readonly owner: number;
}

/**
 * Decides what each writer writes. Nothing is kept from one save to the next: a plan is made of the
 * state itself, so that a tensor which is new is in it.
 */
export function planSave({ tag, tensors, writers, pieceBytes }: PlanInput): SavePlan {
  const drafts = withOwners(tensors, writers);
  const dataBytes = drafts.reduce((sum, { bytes }) => sum + bytes, 0);
  const limit = pieceLimit({ tag, dataBytes, pieceBytes });
  const byOwner = new Map<number, Draft[]>();
  for (const draft of drafts) {
    const own = byOwner.get(draft.owner) ?? [];
    byOwner.set(draft.owner, own);
    own.push(draft);
  }
  const owners = [...byOwner.keys()].toSorted((one, other) => one - other);
  const files = owners.map((owner, at) => {
    const name = shardFileName(at, owners.length);
    return planFile({ tag, name, owner, drafts: byOwner.get(owner) ?? [], limit });
  });
  const placed = new Map(files.flatMap(({ chunks }) => chunks.map((one) => [one.key, one])));
  const planned = tensors.map(({ name, dtype, shape, layout, boxes }) => {
    const chunks = boxes.map(({ slices }) => placed.get(chunkKey(name, slices)) as PlannedChunk);
    return { name, dtype, shape, layout, chunks };
  });
  const boxed = tensors.map(({ boxes, ...tensor }) => {
    return { ...tensor, boxes: boxes.map(({ slices }) => slices) };
  });
  return { files, tensors: planned, planHash: planHashOf(boxed), dataBytes };
}

/** For each box the holder that has least to write so far; the largest boxes choose first. */
function withOwners(tensors: readonly TensorToPlan[], writers: number): readonly Draft[] {
  const boxes = tensors.flatMap((tensor) =>
    tensor.boxes.map(({ slices, ranks }) => {
      const bytes = sizeOf(boxShape(slices)) * dtypeInfo(tensor.dtype).bytes;
      return { tensor, key: chunkKey(tensor.name, slices), box: slices, bytes, ranks };
    }),
  );
  const loads = new Float64Array(writers);
  return boxes
    .toSorted((one, other) => other.bytes - one.bytes || (one.key < other.key ? -1 : 1))
    .map(({ ranks, ...box }) => {
      const owner = ranks.reduce((best, rank) => {
        return (loads[rank] as number) < (loads[best] as number) ? rank : best;
      });
      loads[owner] = (loads[owner] as number) + box.bytes;
      return { ...box, owner };
    });
}

function planFile(about: {
  readonly tag: string;
  readonly name: string;
  readonly owner: number;
  readonly drafts: readonly Draft[];
  readonly limit: number;
}): PlannedFile {
  const { tag, name, owner, drafts, limit } = about;
  const entries = drafts.map(({ tensor, key, box, bytes }) => {
    return { name: key, dtype: safetensorsDTypeOf(tensor.dtype), shape: boxShape(box), bytes };
  });
  const { header, places } = headerFor(entries, { format: "tessera-checkpoint", tag });
  const chunks = drafts.map(({ tensor, key, box, bytes }): PlannedChunk => {
    const offset = header.length + (places.get(key) as number);
    const width = dtypeInfo(tensor.dtype).bytes;
    const rows = box[0]?.count ?? 1;
    const pieces = pieceLengths({ bytes, rowBytes: bytes / rows, width, limit });
    return { tensor: tensor.name, key, box, owner, file: name, offset, bytes, pieces };
  });
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, header.length);
  const inOrder = chunks.toSorted((one, other) => one.offset - other.offset);
  return { name, owner, header, bytes, chunks: inOrder };
}
