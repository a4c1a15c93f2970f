import { type Placement, type Split, splits } from "../../dist/layout/placement.ts";
import type { DimSlice } from "../../dist/layout/split.ts";
import { type DType, dtypeInfo, dtypes } from "../../tensor/dtype/index.ts";
import { nameCharactersMax } from "../values/index.ts";
import { coverProblem } from "./cover.ts";
import type { FieldReader } from "./fields.ts";
import type { ManifestChunk, ManifestMesh, ManifestPiece, ManifestTensor } from "./manifest.ts";
import type { Refuse } from "./refuse.ts";

export const dimsMax = 64;
export const chunksMax = 1_048_576;
export const piecesMax = 16_777_216;

export interface TensorContext {
  readonly read: FieldReader;
  readonly refuse: Refuse;
  readonly mesh: ManifestMesh | null;
}

/** One entry of `tensors`, with everything checked that it says about itself. */
export function parseTensor(value: unknown, path: string, context: TensorContext): ManifestTensor {
  const { read, refuse } = context;
  const keys = ["name", "dtype", "shape", "layout", "digest", "chunks"];
  const fields = read.record(value, path, keys);
  const name = read.text(fields["name"], `${path}.name`, nameCharactersMax);
  const fail: Refuse = (rule, problem) => refuse(rule, problem, name);
  const dtype = dtypes.find((one) => one === fields["dtype"]);
  if (dtype === undefined) return fail("dtype", `${name} has no dtype of ours`);
  const shape = read
    .list(fields["shape"], `${path}.shape`, dimsMax)
    .map((length) => read.integer(length, `a length of ${name}`));
  const size = shape.includes(0) ? 0 : shape.reduce((product, length) => product * length, 1);
  if (!Number.isSafeInteger(size * dtypeInfo(dtype).bytes)) {
    fail("range", `${name} has more bytes than can be counted`);
  }
  const chunks = read
    .list(fields["chunks"], `${path}.chunks`, chunksMax)
    .map((chunk, at) =>
      parseChunk(chunk, `${path}.chunks[${at}]`, { ...context, name, dtype, shape }),
    );
  checkCover({ shape, size, chunks }, name, fail);
  const digest = read.text(fields["digest"], `${path}.digest`, 71);
  if (!digest.startsWith("sha256:")) fail("hash", `the digest of ${name} does not say sha256`);
  read.sha256(digest.slice(7), `the digest of ${name}`);
  const layout = parseLayout(fields["layout"], { ...context, name, dims: shape.length });
  return { name, dtype, shape, layout, digest, chunks };
}

function checkCover(
  {
    shape,
    size,
    chunks,
  }: { shape: readonly number[]; size: number; chunks: readonly ManifestChunk[] },
  name: string,
  fail: Refuse,
): void {
  if (size === 0) {
    if (chunks.length > 0) fail("cover", `${name} has no elements, and yet chunks`);
    return;
  }
  if (chunks.length === 0) fail("cover", `${name} has no chunks`);
  const problem = coverProblem(
    shape,
    chunks.map(({ box }) => box),
  );
  if (problem !== undefined) fail("cover", `the boxes of ${name} do not cover it once: ${problem}`);
}

interface ChunkContext extends TensorContext {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
}

function parseChunk(value: unknown, path: string, context: ChunkContext): ManifestChunk {
  const { read, refuse, name, dtype, shape } = context;
  const fail: Refuse = (rule, problem) => refuse(rule, problem, name);
  const fields = read.record(value, path, ["file", "key", "box", "offset", "bytes", "pieces"]);
  const box = read
    .list(fields["box"], `${path}.box`, dimsMax)
    .map((slice) => parseSlice(slice, path, read));
  if (box.length !== shape.length) fail("box", `a box of ${name} has ${box.length} dimensions`);
  const key = read.text(fields["key"], `${path}.key`);
  if (key !== chunkKey(name, box)) fail("key", `a chunk of ${name} is called ${key.slice(0, 200)}`);
  const bytes = read.integer(fields["bytes"], `${path}.bytes`, { min: 1 });
  const elements = box.reduce((product, { count }) => product * count, 1);
  if (bytes !== elements * dtypeInfo(dtype).bytes) {
    fail(
      "chunk-bytes",
      `${key} has ${bytes} bytes, which are not ${elements} elements of ${dtype}`,
    );
  }
  const pieces = read
    .list(fields["pieces"], `${path}.pieces`, piecesMax)
    .map((piece) => parsePiece(piece, `${path}.pieces`, read));
  const total = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  if (total !== bytes)
    fail("piece-bytes", `the pieces of ${key} have ${total} bytes, not ${bytes}`);
  const offset = read.integer(fields["offset"], `${path}.offset`, { min: 8 });
  return { file: read.text(fields["file"], `${path}.file`, 255), key, box, offset, bytes, pieces };
}

function parseSlice(value: unknown, path: string, read: FieldReader): DimSlice {
  const fields = read.record(value, `${path}.box`, ["start", "step", "count"]);
  const start = read.integer(fields["start"], `${path}.box.start`);
  const step = read.integer(fields["step"], `${path}.box.step`, { min: 1 });
  const count = read.integer(fields["count"], `${path}.box.count`, { min: 1 });
  // Of one index, any step would say the same.
  if (count === 1) read.integer(step, `${path}.box.step`, { min: 1, max: 1 });
  read.integer(start + (count - 1) * step, `the end of ${path}.box`);
  return { start, step, count };
}

function parsePiece(value: unknown, path: string, read: FieldReader): ManifestPiece {
  const fields = read.record(value, path, ["bytes", "sha256"]);
  return {
    bytes: read.integer(fields["bytes"], `${path}.bytes`, { min: 1 }),
    sha256: read.sha256(fields["sha256"], `${path}.sha256`),
  };
}

function parseLayout(
  value: unknown,
  context: TensorContext & { readonly name: string; readonly dims: number },
): readonly Placement[] | null {
  const { read, refuse, mesh, name, dims } = context;
  if (value === null) return null;
  const fail: Refuse = (rule, problem) => refuse(rule, problem, name);
  const path = `the layout of ${name}`;
  const placements = read.list(value, path, dimsMax);
  if (placements.length !== mesh?.axes.length) {
    fail(
      "layout",
      `${path} has ${placements.length} placements for ${mesh?.axes.length ?? 0} axes`,
    );
  }
  return placements.map((placement): Placement => {
    const { kind } = read.record(placement, path, ["kind"], ["dim", "split", "block", "order"]);
    if (kind === "replicate") {
      read.record(placement, path, ["kind"]);
      return { kind };
    }
    if (kind !== "shard") return fail("layout", `${path} is neither replicated nor split`);
    const fields = read.record(placement, path, ["kind", "dim", "split"], ["block", "order"]);
    const split = splits.find((one: Split) => one === fields["split"]);
    if (split === undefined) return fail("layout", `${path} has an unknown split`);
    const dim = read.integer(fields["dim"], `${path}, dim`, { max: dims - 1 });
    const { block, order } = fields;
    return {
      kind,
      dim,
      split,
      ...(block === undefined ? {} : { block: read.integer(block, `${path}, block`, { min: 1 }) }),
      ...(order === undefined ? {} : { order: read.integer(order, `${path}, order`) }),
    };
  });
}

/** The name of a chunk in its safetensors file: `w@0,128`. */
export function chunkKey(name: string, box: readonly DimSlice[]): string {
  return `${name}@${box.map(({ start }) => start).join(",")}`;
}
