import type { Placement } from "../../dist/layout/placement.ts";
import type { DimSlice } from "../../dist/layout/split.ts";
import type { Commit, Manifest, ManifestChunk, ManifestFile, ManifestTensor } from "./manifest.ts";

/** A manifest with its keys in the order of `Manifest`, which is the order of `manifest.json`. */
export function manifestDocument(manifest: Manifest): object {
  const { format, version, tag, generation, step, createdAt, parent, mesh, writers } = manifest;
  return {
    format,
    version,
    tag,
    generation,
    step,
    createdAt,
    parent,
    software: byName(manifest.software),
    mesh: mesh === null ? null : { axes: mesh.axes, shape: mesh.shape },
    writers,
    tensors: manifest.tensors.map(orderedTensor),
    values: manifest.values,
    files: manifest.files.map(orderedFile),
    planHash: manifest.planHash,
  };
}

/** A COMMIT with its keys in their order. */
export function commitDocument(commit: Commit): object {
  const { format, version, tag, generation, step, manifestBytes, manifestSha256 } = commit;
  const { files, tensors, totalBytes } = commit;
  return {
    format,
    version,
    tag,
    generation,
    step,
    manifestBytes,
    manifestSha256,
    files,
    tensors,
    totalBytes,
  };
}

function orderedTensor({ name, dtype, shape, layout, digest, chunks }: ManifestTensor) {
  return {
    name,
    dtype,
    shape,
    layout: layout?.map(orderedPlacement) ?? null,
    digest,
    chunks: chunks.map(orderedChunk),
  };
}

function orderedPlacement(placement: Placement): Placement {
  if (placement.kind === "replicate") return { kind: "replicate" };
  if (placement.kind === "partial") return { kind: "partial", op: placement.op };
  const { kind, dim, split, block, order } = placement;
  return {
    kind,
    dim,
    split,
    ...(block === undefined ? {} : { block }),
    ...(order === undefined ? {} : { order }),
  };
}

function orderedChunk({ file, key, box, offset, bytes, pieces }: ManifestChunk) {
  return {
    file,
    key,
    box: box.map(({ start, step, count }: DimSlice) => ({ start, step, count })),
    offset,
    bytes,
    pieces: pieces.map((piece) => ({ bytes: piece.bytes, sha256: piece.sha256 })),
  };
}

function orderedFile({ name, bytes, headerBytes, headerSha256 }: ManifestFile) {
  return { name, bytes, headerBytes, headerSha256 };
}

function byName(record: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries);
}
