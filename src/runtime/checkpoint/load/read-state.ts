import { TesseraError } from "../../../platform/errors/index.ts";
import { DistTensor } from "../../dist/array/index.ts";
import { TensorBlock } from "../../dist/array/tensor-block.ts";
import { type Layout, localSlices } from "../../dist/layout/index.ts";
import type { Mesh } from "../../dist/mesh/index.ts";
import { allocateRaw } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import type { CheckpointFiles } from "../files/index.ts";
import {
  corrupt,
  type Manifest,
  type ManifestTensor,
  manifestFileName,
} from "../manifest/index.ts";
import type { LoadOptions } from "../options.ts";
import {
  type Box,
  keyOfBox,
  OpenFiles,
  planRead,
  readPieces,
  shapeOfBox,
  sizeOfBox,
  wholeBox,
} from "../reshard/index.ts";
import type { State } from "../state.ts";
import { rebuildState, ValuesError } from "../values/index.ts";
import { checkHeader, chunksByFile } from "./check-header.ts";
import type { CheckpointFolder } from "./read-manifest.ts";
import { meshNotes, targetLayout, targetMesh } from "./target-layout.ts";

export interface StateToRead extends CheckpointFolder {
  readonly files: CheckpointFiles;
  readonly manifest: Manifest;
  readonly options: LoadOptions;
}

export interface ReadState {
  readonly state: State;
  readonly readBytes: number;
  readonly stateBytes: number;
  readonly notes: readonly string[];
}

/** What a load makes of one tensor: distinct boxes, and which of them each rank holds. */
interface Target {
  readonly tensor: ManifestTensor;
  readonly layout: Layout | undefined;
  readonly boxes: readonly Box[];
  /** The box of a rank, as a place in `boxes`; undefined for ranks that are not read. */
  readonly boxOf: (rank: number) => number | undefined;
}

/**
 * Reads the state of a checkpoint whose folder and manifest were checked.
 *
 * @throws E_CHECKPOINT_CORRUPT, E_CHECKPOINT_LAYOUT
 */
export async function readState(reading: StateToRead): Promise<ReadState> {
  const { name, folder, files, manifest, options } = reading;
  const { only, layouts, signal } = options;
  const mesh = targetMesh(manifest, options);
  const wanted = manifest.tensors.filter((tensor) => only?.(tensor.name) ?? true);
  const question = { checkpoint: name, manifest, mesh, layouts };
  const boxesOf = mesh === undefined ? undefined : boxesOn(mesh, options.rank);
  const targets = wanted.map((tensor) => targetOf(tensor, targetLayout(tensor, question), boxesOf));
  const plan = planRead(targets);
  await checkHeaders(reading, new Set(plan.groups.map(({ file }) => file)));
  const storage = targets.map(({ tensor, boxes }) =>
    boxes.map((box) => allocateRaw(tensor.dtype, sizeOfBox(box))),
  );
  const from = { files, folder, checkpoint: name };
  await readPieces({ from, wanted: targets, plan, storage, signal });
  const leaves = new Map(
    targets.map((target, at) => {
      const parts = target.boxes.map((box, part) => {
        const raw = storage[at]?.[part] ?? allocateRaw(target.tensor.dtype, 0);
        return Tensor.over(raw, { dtype: target.tensor.dtype, shape: shapeOfBox(box) });
      });
      return [target.tensor.name, leafOf(target, parts, { name, mesh })];
    }),
  );
  return {
    state: stateOf(manifest, name, (tensor) => leaves.get(tensor)),
    readBytes: plan.readBytes,
    stateBytes: plan.wantedBytes,
    notes: meshNotes(manifest, mesh),
  };
}

async function checkHeaders(
  { name, folder, files, manifest }: StateToRead,
  used: ReadonlySet<string>,
): Promise<void> {
  const open = new OpenFiles({ files, folder, checkpoint: name });
  const chunks = chunksByFile(manifest);
  for (const file of manifest.files) {
    if (used.has(file.name)) await checkHeader(open, file, chunks.get(file.name) ?? new Map());
  }
}

/** Which boxes a layout gives the ranks; asked for again by every tensor of the same form. */
type BoxesOf = (layout: Layout, shape: readonly number[]) => Pick<Target, "boxes" | "boxOf">;

function boxesOn(mesh: Mesh, only: number | undefined): BoxesOf {
  const known = new Map<string, Pick<Target, "boxes" | "boxOf">>();
  return (layout, shape) => {
    const key = `${layout.describe()} of ${shape.join()}`;
    const boxes = known.get(key) ?? boxesByRank(layout, { mesh, shape, only });
    known.set(key, boxes);
    return boxes;
  };
}

function boxesByRank(
  layout: Layout,
  given: {
    readonly mesh: Mesh;
    readonly shape: readonly number[];
    readonly only: number | undefined;
  },
): Pick<Target, "boxes" | "boxOf"> {
  const { mesh, shape, only } = given;
  const boxes: Box[] = [];
  const places = new Map<string, number>();
  const byRank = new Map<number, number>();
  const ranks = only === undefined ? mesh.devices.keys() : [only];
  for (const rank of ranks) {
    const box = localSlices(layout, { mesh, shape, rank });
    // Empty parts may still have different shapes.
    const key = `${keyOfBox(box)} ${shapeOfBox(box).join()}`;
    const place = places.get(key) ?? boxes.push(box) - 1;
    places.set(key, place);
    byRank.set(rank, place);
  }
  return { boxes, boxOf: (rank) => byRank.get(rank) };
}

function targetOf(
  tensor: ManifestTensor,
  layout: Layout | undefined,
  boxesOf: BoxesOf | undefined,
): Target {
  if (layout !== undefined && boxesOf !== undefined) {
    return { tensor, layout, ...boxesOf(layout, tensor.shape) };
  }
  return { tensor, layout: undefined, boxes: [wholeBox(tensor.shape)], boxOf: () => 0 };
}

function leafOf(
  { tensor, layout, boxOf }: Target,
  parts: readonly Tensor[],
  { name, mesh }: { readonly name: string; readonly mesh: Mesh | undefined },
): Tensor | DistTensor {
  const { dtype, shape } = tensor;
  if (layout === undefined || mesh === undefined) return parts[0] as Tensor;
  const blocks = parts.map((part) => new TensorBlock(part));
  const blockOf = (rank: number) => {
    const block = blocks[boxOf(rank) ?? -1];
    if (block !== undefined) return block;
    const problem = `only one rank's part of ${tensor.name} was read, and rank ${rank} is another`;
    throw new TesseraError("E_CHECKPOINT_LAYOUT", { checkpoint: name, problem });
  };
  return new DistTensor({ mesh, layout, dtype, shape, blocks: blockOf, requested: layout });
}

function stateOf(manifest: Manifest, name: string, tensorOf: (name: string) => unknown): State {
  try {
    return rebuildState(manifest.values, tensorOf) as State;
  } catch (error) {
    if (!(error instanceof ValuesError)) throw error;
    const where = { checkpoint: name, file: manifestFileName };
    throw corrupt(where, error.rule, error.message, { cause: error });
  }
}
