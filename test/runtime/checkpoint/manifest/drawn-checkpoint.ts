import { createHash } from "node:crypto";
import type { Chance } from "../../../support/checkpoint/chance.ts";

/** A document, before it is text. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonRecord = { [key: string]: Json };

interface Slice {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

interface DrawnChunk {
  readonly key: string;
  readonly box: readonly Slice[];
  readonly bytes: number;
  readonly width: number;
  readonly file: number;
}

// Written down once more: what draws must not take the reader's word.
const widths = { f64: 8, f32: 4, f16: 2, bf16: 2, e4m3: 1, e5m2: 1, i32: 4, u8: 1 };
const dtypes = Object.entries(widths);
const tags = ["s3", "step100", "a.b-C_1"];
const paths = [["b"], ["model", "w"], ["model", "a/b"], ["opt", "m~", "0"], ["opt", "$v"], ["é"]];
const odd = ['{"$number":"NaN"}', '{"$bigint":"-12"}', '{"__proto__":1,"toJSON":[]}', '"é\\n😀"'];

/** A manifest as save writes one, of a few small tensors in a few files. */
export function drawManifest(chance: Chance): JsonRecord {
  const chosen = paths.filter(() => chance.once(3));
  const mesh = chance.once(2) ? { axes: ["tp", "dp"], shape: [2, 1 + chance.below(3)] } : null;
  const drawn = chosen.map((path) => drawTensor(path, mesh !== null, chance));
  drawn.sort((one, other) => (one.name < other.name ? -1 : 1));
  const { files, tensors } = placed(drawn, chance);
  return {
    format: "tessera-checkpoint",
    version: 1,
    tag: chance.pick(tags),
    generation: chance.pick([1, 1, 2, 17]),
    step: chance.pick([null, 0, 123, Number.MAX_SAFE_INTEGER]),
    createdAt: "2026-11-15T12:00:00.000Z",
    parent: chance.pick([null, "s2", "s2~4"]),
    software: chance.once(2) ? {} : { 0: "x", node: "v20", é: "" },
    mesh,
    writers: files.length,
    tensors,
    values: valuesWith(chosen, chance),
    files,
    planHash: planHash(tensors),
  };
}

/** The plan hash of `tensors`, as the format describes it; of anything else, that of nothing. */
export function planHash(tensors: Json | undefined): string {
  const hash = createHash("sha256");
  const list = (value: Json | undefined) => (Array.isArray(value) ? value : []) as JsonRecord[];
  for (const tensor of list(tensors)) {
    const boxes = list(tensor?.["chunks"]).map((chunk) =>
      list(chunk?.["box"]).map((slice) => [slice?.["start"], slice?.["step"], slice?.["count"]]),
    );
    const fields = [tensor?.["name"], tensor?.["dtype"], tensor?.["shape"], boxes];
    hash.update(`${JSON.stringify(fields)}\n`);
  }
  return hash.digest("hex");
}

/** A COMMIT for these bytes of a manifest, whatever they are. */
export function drawCommit(manifest: JsonRecord, bytes: Uint8Array): JsonRecord {
  const files = Array.isArray(manifest["files"]) ? (manifest["files"] as JsonRecord[]) : [];
  const tensors = Array.isArray(manifest["tensors"]) ? manifest["tensors"] : [];
  return {
    format: "tessera-commit",
    version: 1,
    tag: manifest["tag"] ?? null,
    generation: manifest["generation"] ?? null,
    step: manifest["step"] ?? null,
    manifestBytes: bytes.length,
    manifestSha256: createHash("sha256").update(bytes).digest("hex"),
    files: files.length,
    tensors: tensors.length,
    totalBytes: files.reduce((sum, file) => sum + Number(file?.["bytes"] ?? 0), 0),
  };
}

function drawTensor(path: readonly string[], onMesh: boolean, chance: Chance) {
  const name = path.map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
  const [dtype, width] = chance.pick(dtypes);
  const dims = chance.below(3);
  const shape = Array.from({ length: dims }, () => (chance.once(12) ? 0 : 1 + chance.below(5)));
  const boxes = shape.includes(0) ? [] : product(shape.map((length) => split(length, chance)));
  const chunks = boxes.map((box): DrawnChunk => {
    const key = `${name}@${box.map(({ start }) => start).join(",")}`;
    const bytes = box.reduce((size, { count }) => size * count, width);
    return { key, box, bytes, width, file: chance.below(3) };
  });
  const shard = { kind: "shard", dim: chance.below(Math.max(dims, 1)), split: "cyclic" };
  const first = dims > 0 ? { ...shard, ...(chance.once(2) ? { block: 2, order: 0 } : {}) } : null;
  const replicate = { kind: "replicate" };
  const layout = onMesh && chance.once(2) ? [first ?? replicate, replicate] : null;
  return { name, dtype, shape, layout, digest: `sha256:${hex(chance)}`, chunks };
}

/** Slices that have every index once: all of them, two runs, or every other one. */
function split(length: number, chance: Chance): Slice[] {
  const half = Math.ceil(length / 2);
  if (length === 1 || chance.once(2)) return [{ start: 0, step: 1, count: length }];
  if (chance.once(2)) return [slice(0, 1, half), slice(half, 1, length - half)];
  return [slice(0, 2, half), slice(1, 2, length - half)];
}

function slice(start: number, step: number, count: number): Slice {
  return { start, step: count === 1 ? 1 : step, count };
}

function product(slices: readonly (readonly Slice[])[]): Slice[][] {
  return slices.reduce<Slice[][]>(
    (boxes, choices) => boxes.flatMap((box) => choices.map((one) => [...box, one])),
    [[]],
  );
}

/** Gives every chunk a place in a file, and the files that have something in them their names. */
function placed(drawn: readonly ReturnType<typeof drawTensor>[], chance: Chance) {
  const used = new Set(drawn.flatMap(({ chunks }) => chunks.map(({ file }) => file)));
  const numbers = [...used].toSorted((one, other) => one - other);
  const nameOf = (file: number) =>
    `shard-${five(numbers.indexOf(file))}-of-${five(numbers.length)}.safetensors`;
  const ends = new Map(numbers.map((file) => [file, 8 * (2 + chance.below(4))]));
  const files = numbers.map((file) => ({ name: nameOf(file), headerBytes: ends.get(file) ?? 0 }));
  const tensors = drawn.map((tensor): Json => {
    const chunks = tensor.chunks.map(({ key, box, bytes, width, file }): Json => {
      const offset = ends.get(file) ?? 0;
      ends.set(file, offset + bytes);
      const slices = box.map((one) => ({ ...one }));
      const pieces = piecesOf(bytes, width, chance);
      return { file: nameOf(file), key, box: slices, offset, bytes, pieces };
    });
    return { ...tensor, chunks };
  });
  const sized = files.map(({ name, headerBytes }, at): Json => {
    const bytes = ends.get(numbers[at] ?? -1) ?? 0;
    return { name, bytes, headerBytes, headerSha256: hex(chance) };
  });
  return { files: sized, tensors };
}

function piecesOf(bytes: number, width: number, chance: Chance): Json[] {
  const first = width * (1 + chance.below(bytes / width));
  const rest = bytes - first;
  const lengths = rest > 0 ? [first, rest] : [first];
  return lengths.map((length) => ({ bytes: length, sha256: hex(chance) }));
}

function valuesWith(chosen: readonly (readonly string[])[], chance: Chance): JsonRecord {
  const values: JsonRecord = { step: 3, rate: 0.1 };
  if (chance.once(2)) values["odd"] = JSON.parse(chance.pick(odd)) as Json;
  for (const path of chosen) {
    let record = values;
    for (const key of path.slice(0, -1)) record = (record[written(key)] ??= {}) as JsonRecord;
    const name = path.map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
    record[written(path.at(-1) ?? "")] = { $tensor: name };
  }
  return values;
}

function written(key: string): string {
  return key.startsWith("$") ? `$${key}` : key;
}

function five(value: number): string {
  return String(value).padStart(5, "0");
}

function hex(chance: Chance): string {
  return chance
    .below(2 ** 31)
    .toString(16)
    .padStart(64, "0");
}
