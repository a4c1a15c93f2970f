import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DistTensor } from "../../src/runtime/dist/array/index.ts";
import { type DimSlice, localSlices, type Placement } from "../../src/runtime/dist/layout/index.ts";
import type { Mesh } from "../../src/runtime/dist/mesh/index.ts";
import { type DType, Tensor } from "../../src/runtime/tensor/index.ts";

/**
 * Writes checkpoints by the format's description alone, without the code that saves: what it writes
 * must load, and save must write the same. Small ones only; everything is done one element at a time.
 */
export interface FixtureOptions {
  readonly root: string;
  readonly tag: string;
  readonly generation?: number;
  readonly step?: number | null;
  readonly createdAt?: string;
  /** Records and lists; leaves are tensors, texts, whole numbers, booleans and null. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Of the sharded tensors. */
  readonly mesh?: Mesh;
  /** Who write: rank r of the mesh is written by r modulo this. @default 1 */
  readonly writers?: number;
  /** @default 1 MiB */
  readonly pieceBytes?: number;
}

export interface FixtureCheckpoint {
  readonly name: string;
  readonly folder: string;
  readonly shards: readonly string[];
}

interface FixtureChunk {
  readonly tensor: string;
  readonly dtype: DType;
  readonly box: readonly DimSlice[];
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly writer: number;
}

const names: Readonly<Record<DType, readonly [name: string, bytes: number]>> = {
  f64: ["F64", 8],
  f32: ["F32", 4],
  f16: ["F16", 2],
  bf16: ["BF16", 2],
  e4m3: ["F8_E4M3", 1],
  e5m2: ["F8_E5M2", 1],
  i32: ["I32", 4],
  u8: ["U8", 1],
};

/** Writes a committed checkpoint. */
export function writeFixture(options: FixtureOptions): FixtureCheckpoint {
  const { root, tag, generation = 1, step = null, mesh, writers = 1 } = options;
  const createdAt = options.createdAt ?? "2026-01-01T00:00:00.000Z";
  const name = generation === 1 ? tag : `${tag}~${generation}`;
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const leaves = new Map<string, Tensor | DistTensor>();
  const values = encode(options.state, undefined, leaves);
  const sorted = [...leaves].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const chunks = sorted.flatMap(([path, leaf]) => chunksOf(path, leaf, writers));
  const shards = writeShards(folder, chunks);
  const tensors = tensorsOf({ sorted, chunks, shards, pieceBytes: options.pieceBytes ?? 2 ** 20 });
  const manifest = {
    format: "tessera-checkpoint",
    version: 1,
    tag,
    generation,
    step,
    createdAt,
    parent: null,
    software: { fixture: "1" },
    mesh: mesh === undefined ? null : { axes: mesh.axes, shape: mesh.shape },
    writers: shards.length,
    tensors,
    values,
    files: shards.map(({ file, bytes, headerBytes, headerSha256 }) => {
      return { name: file, bytes, headerBytes, headerSha256 };
    }),
    planHash: planHashOf(tensors),
  };
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, "manifest.json"), text);
  const totalBytes = shards.reduce((sum, { bytes }) => sum + bytes, 0);
  const counts = { files: shards.length, tensors: tensors.length, totalBytes };
  commitFixture(folder, { tag, generation, step, text, ...counts });
  return { name, folder, shards: shards.map(({ file }) => file) };
}

type Shard = ReturnType<typeof writeShard>;

function writeShards(folder: string, chunks: readonly FixtureChunk[]): readonly Shard[] {
  const used = [...new Set(chunks.map(({ writer }) => writer))].toSorted((a, b) => a - b);
  const five = (value: number) => String(value).padStart(5, "0");
  return used.map((writer, at) => {
    const file = `shard-${five(at)}-of-${five(used.length)}.safetensors`;
    const own = chunks.filter((chunk) => chunk.writer === writer);
    return writeShard(join(folder, file), file, own);
  });
}

function tensorsOf(given: {
  readonly sorted: readonly (readonly [string, Tensor | DistTensor])[];
  readonly chunks: readonly FixtureChunk[];
  readonly shards: readonly Shard[];
  readonly pieceBytes: number;
}) {
  const places = new Map(
    given.shards.flatMap(({ file, offsets }) =>
      [...offsets].map(([key, offset]) => [key, { file, offset }] as const),
    ),
  );
  return given.sorted.map(([path, leaf]) => ({
    name: path,
    dtype: leaf.dtype,
    shape: leaf.shape,
    layout: leaf instanceof DistTensor ? leaf.layout.placements.map(orderedPlacement) : null,
    digest: leaf.digest(),
    chunks: given.chunks
      .filter(({ tensor }) => tensor === path)
      .map(({ key, box, bytes }) => ({
        file: places.get(key)?.file,
        key,
        box,
        offset: places.get(key)?.offset,
        bytes: bytes.length,
        pieces: piecesOf(bytes, given.pieceBytes),
      })),
  }));
}

function planHashOf(tensors: ReturnType<typeof tensorsOf>): string {
  const plan = createHash("sha256");
  for (const { name, dtype, shape, chunks } of tensors) {
    const flat = chunks.map(({ box }) => box.map((s) => [s.start, s.step, s.count]));
    plan.update(`${JSON.stringify([name, dtype, shape, flat])}\n`);
  }
  return plan.digest("hex");
}

function commitFixture(
  folder: string,
  facts: {
    readonly tag: string;
    readonly generation: number;
    readonly step: number | null;
    readonly text: Uint8Array;
    readonly files: number;
    readonly tensors: number;
    readonly totalBytes: number;
  },
): void {
  const { tag, generation, step, text, files, tensors, totalBytes } = facts;
  const commit = {
    format: "tessera-commit",
    version: 1,
    tag,
    generation,
    step,
    manifestBytes: text.length,
    manifestSha256: hashOf(text),
    files,
    tensors,
    totalBytes,
  };
  writeFileSync(join(folder, "COMMIT"), `${JSON.stringify(commit)}\n`);
}

function encode(
  node: unknown,
  path: string | undefined,
  leaves: Map<string, Tensor | DistTensor>,
): unknown {
  const below = (key: string | number) => (path === undefined ? `${key}` : `${path}/${key}`);
  if (node instanceof Tensor || node instanceof DistTensor) {
    leaves.set(path ?? "", node);
    return { $tensor: path ?? "" };
  }
  if (Array.isArray(node)) return node.map((one, at) => encode(one, below(at), leaves));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, encode(value, below(key), leaves)]),
  );
}

function chunksOf(path: string, leaf: Tensor | DistTensor, writers: number): FixtureChunk[] {
  const whole = leaf instanceof DistTensor ? leaf.toTensor() : leaf;
  const all = whole.shape.map((count) => ({ start: 0, step: 1, count }));
  const found = new Map<string, FixtureChunk>();
  const ranks = leaf instanceof DistTensor ? leaf.mesh.size : 1;
  for (let rank = 0; rank < ranks; rank++) {
    const { shape } = whole;
    const slices =
      leaf instanceof DistTensor ? localSlices(leaf.layout, { mesh: leaf.mesh, shape, rank }) : all;
    const box = slices.map(({ start, step, count }) => ({
      start,
      step: count === 1 ? 1 : step,
      count,
    }));
    const key = `${path}@${box.map(({ start }) => start).join(",")}`;
    if (found.has(key) || box.some(({ count }) => count === 0)) continue;
    const bytes = bytesOfBox(whole, box);
    found.set(key, {
      tensor: path,
      dtype: whole.dtype,
      box,
      key,
      bytes,
      writer: rank % writers,
    });
  }
  return [...found.values()];
}

function bytesOfBox(whole: Tensor, box: readonly DimSlice[]): Uint8Array {
  const [, width] = names[whole.dtype];
  const raw = whole.toRaw();
  const from = new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength);
  const count = box.reduce((product, slice) => product * slice.count, 1);
  const bytes = new Uint8Array(count * width);
  for (let at = 0; at < count; at++) {
    let rest = at;
    let place = 0;
    let stride = 1;
    for (let dim = box.length - 1; dim >= 0; dim--) {
      const { start, step, count: length } = box[dim] as DimSlice;
      place += (start + (rest % length) * step) * stride;
      rest = Math.floor(rest / length);
      stride *= whole.shape[dim] as number;
    }
    bytes.set(from.subarray(place * width, (place + 1) * width), at * width);
  }
  return bytes;
}

function writeShard(path: string, file: string, chunks: readonly FixtureChunk[]) {
  const sorted = chunks.toSorted((a, b) => {
    return names[b.dtype][1] - names[a.dtype][1] || (a.key < b.key ? -1 : 1);
  });
  let at = 0;
  const entries = sorted.map(({ key, dtype, box, bytes }) => {
    const begin = at;
    at += bytes.length;
    const shape = box.map(({ count }) => count);
    return [key, { dtype: names[dtype][0], shape, data_offsets: [begin, at] }] as const;
  });
  const json = JSON.stringify(Object.fromEntries(entries));
  const padded = Buffer.from(json + " ".repeat((8 - (Buffer.byteLength(json) % 8)) % 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  const header = Buffer.concat([length, padded]);
  const all = Buffer.concat([header, ...sorted.map(({ bytes }) => bytes)]);
  writeFileSync(path, all);
  return {
    file,
    bytes: all.length,
    headerBytes: header.length,
    headerSha256: hashOf(header),
    offsets: new Map(entries.map(([key, entry]) => [key, header.length + entry.data_offsets[0]])),
  };
}

function piecesOf(bytes: Uint8Array, pieceBytes: number) {
  const pieces: { readonly bytes: number; readonly sha256: string }[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    pieces.push({ bytes: piece.length, sha256: hashOf(piece) });
  }
  return pieces;
}

function orderedPlacement(placement: Placement): Placement {
  if (placement.kind !== "shard") return placement;
  const { kind, dim, split, block, order } = placement;
  return {
    kind,
    dim,
    split,
    ...(block === undefined ? {} : { block }),
    ...(order === undefined ? {} : { order }),
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
