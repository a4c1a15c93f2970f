import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Committed } from "../../../../src/runtime/checkpoint/manifest/index.ts";
import { planHash } from "./drawn-checkpoint.ts";
import type { FuzzedCheckpoint } from "./fuzz-case.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- documents of unknown shape: a wrong one fails in any way
type Document = any;

const widths: Readonly<Record<string, bigint>> = {
  ...{ f64: 8n, f32: 4n, i32: 4n, f16: 2n, bf16: 2n, e4m3: 1n, e5m2: 1n, u8: 1n },
};
const keys = {
  manifest:
    "format,version,tag,generation,step,createdAt,parent,software,mesh,writers,tensors,values,files,planHash",
  commit:
    "format,version,tag,generation,step,manifestBytes,manifestSha256,files,tensors,totalBytes",
  tensor: "name,dtype,shape,layout,digest,chunks",
  chunk: "file,key,box,offset,bytes,pieces",
  file: "name,bytes,headerBytes,headerSha256",
};
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const hex = /^[0-9a-f]{64}$/;

/**
 * Why a checkpoint that was accepted should not have been, or says something else than its files;
 * undefined when all is well. Shares no code with the readers, and knows no order but its own.
 */
export function complaintAbout(
  { name, commit, manifest }: FuzzedCheckpoint,
  accepted: Committed,
): string | undefined {
  if (commit === undefined || manifest === undefined) return "a file is not there";
  const [commitText, text] = [strictUtf8.decode(commit), strictUtf8.decode(manifest)];
  const [said, document]: Document[] = [JSON.parse(commitText), JSON.parse(text)];
  // Keys that stand twice, numbers that are not exact and spaces do not come back as they were.
  if (`${JSON.stringify(said)}\n` !== commitText) return "COMMIT is not as we write it";
  if (`${JSON.stringify(document, null, 2)}\n` !== text)
    return "the manifest is not as we write it";
  if (!isDeepStrictEqual(document, accepted.manifest)) return "the manifest says something else";
  if (!isDeepStrictEqual(said, accepted.commit)) return "COMMIT says something else";
  if (keysOf(said) !== keys.commit || keysOf(document) !== keys.manifest) return "keys";
  const sum = createHash("sha256").update(manifest).digest("hex");
  if (said.manifestSha256 !== sum || said.manifestBytes !== manifest.length)
    return "another manifest";
  const { tag, generation, step, files, tensors } = document;
  if (name !== (generation === 1 ? tag : `${tag}~${generation}`)) return "the folder's name";
  if (said.tag !== tag || said.generation !== generation || said.step !== step)
    return "another save";
  if (said.files !== files.length || said.tensors !== tensors.length) return "counts";
  if (new Date(document.createdAt).toISOString() !== document.createdAt) return "the date";
  if (document.planHash !== planHash(tensors)) return "the plan hash";
  return (
    complaintAboutFiles(document) ??
    (tensors as Document[]).map((tensor) => complaintAboutTensor(tensor, document)).find(Boolean) ??
    complaintAboutValues(document)
  );
}

function complaintAboutFiles({ files, tensors, writers }: Document): string | undefined {
  if (writers !== files.length) return "writers";
  let index = 0;
  for (const file of files) {
    const five = (value: number) => String(value).padStart(5, "0");
    if (file.name !== `shard-${five(index++)}-of-${five(files.length)}.safetensors`)
      return "a name";
    if (keysOf(file) !== keys.file || !hex.test(file.headerSha256)) return "a file's fields";
    const all = (tensors as Document[]).flatMap(({ chunks }) => chunks as Document[]);
    const own = all.filter((chunk) => chunk.file === file.name);
    own.sort((one, other) => one.offset - other.offset);
    let end = BigInt(file.headerBytes);
    for (const chunk of own) {
      if (BigInt(chunk.offset) !== end) return "a hole or an overlap";
      end += BigInt(chunk.bytes);
    }
    if (own.length === 0 || end !== BigInt(file.bytes)) return "a file's bytes";
  }
  return undefined;
}

function complaintAboutTensor(tensor: Document, { mesh, files }: Document): string | undefined {
  const { name, dtype, shape, layout, digest, chunks } = tensor;
  if (keysOf(tensor) !== keys.tensor || !Object.hasOwn(widths, dtype)) return "a tensor's fields";
  if (!digest.startsWith("sha256:") || !hex.test(digest.slice(7))) return "a digest";
  if (layout !== null && layout.length !== mesh?.axes.length) return "a layout";
  if (!(shape as Document[]).every((length) => Number.isSafeInteger(length) && length >= 0))
    return "a shape";
  const seen = new Map<string, number>();
  for (const chunk of chunks) {
    const { file, key, box, bytes, pieces } = chunk;
    if (keysOf(chunk) !== keys.chunk) return "a chunk's fields";
    if (!(files as Document[]).some((one) => one.name === file)) return "a chunk's file";
    if (key !== `${name}@${box.map((slice: Document) => slice.start)}`) return "a chunk's key";
    const counts: bigint[] = box.map((slice: Document) => BigInt(slice.count));
    const size = counts.reduce((product, count) => product * count, 1n);
    if (size > 100_000n) return "a box that no case has";
    if (BigInt(bytes) !== size * (widths[dtype] as bigint)) return "a chunk's bytes";
    const total = (pieces as Document[]).reduce((sum, piece) => sum + BigInt(piece.bytes), 0n);
    if (total !== BigInt(bytes)) return "pieces";
    if ((pieces as Document[]).some((piece) => piece.bytes < 1 || !hex.test(piece.sha256)))
      return "a piece";
    for (const place of elementsOf(box)) seen.set(place, (seen.get(place) ?? 0) + 1);
  }
  const whole = (shape as number[]).map((count) => ({ start: 0, step: 1, count }));
  const size = (shape as number[]).reduce((product, length) => product * BigInt(length), 1n);
  if (size !== BigInt(seen.size) || [...seen.values()].some((times) => times > 1)) return "cover";
  return size === 0n || elementsOf(whole).every((place) => seen.has(place)) ? undefined : "places";
}

function elementsOf(box: readonly { start: number; step: number; count: number }[]): string[] {
  return box.reduce<string[]>(
    (places, { start, step, count }) =>
      places.flatMap((place) =>
        Array.from({ length: count }, (_, at) => `${place},${start + at * step}`),
      ),
    [""],
  );
}

/** Every tensor stands once in the values, at its own path; marks are those that the format has. */
function complaintAboutValues({ values, tensors }: Document): string | undefined {
  const found: string[] = [];
  let complaint: string | undefined;
  const walk = (node: Document, path: readonly string[]): void => {
    if (path.length > 64) complaint = "values are too deep";
    if (typeof node === "string" && /\p{Surrogate}/u.test(node)) complaint = "half a character";
    if (typeof node !== "object" || node === null) return;
    const entries = Object.entries(node);
    const [mark, value] = entries[0] ?? ["", undefined];
    const isAlone = entries.length === 1;
    const isMark = !Array.isArray(node) && entries.some(([key]) => /^\$(?!\$)/.test(key));
    if (!isMark) {
      for (const [key, one] of entries) walk(one, [...path, key.replace(/^\$/, "")]);
    } else if (mark === "$tensor" && isAlone && path.length > 0) {
      const name = path.map((key) => key.replace(/[~/]/g, (c) => (c === "~" ? "~0" : "~1")));
      if (value !== name.join("/")) complaint = "a tensor in another's place";
      found.push(String(value));
    } else if (!isAlone || !/^\$(number|bigint)$/.test(mark)) complaint = "a mark";
  };
  walk(values, []);
  const names = (tensors as Document[]).map(({ name }) => String(name));
  if (names.join("\n") !== [...new Set(names)].toSorted().join("\n")) return "the order of tensors";
  return complaint ?? (found.toSorted().join("\n") === names.join("\n") ? undefined : "tensors");
}

function keysOf(record: object): string {
  return Object.keys(record).join();
}
