import type { Placement } from "../../dist/layout/placement.ts";
import type { DimSlice } from "../../dist/layout/split.ts";
import type { DType } from "../../tensor/dtype/index.ts";

/** `manifest.json`: all that a checkpoint holds and where. Keys are written in the order given here. */
export interface Manifest {
  readonly format: "tessera-checkpoint";
  readonly version: 1;
  readonly tag: string;
  /** 1 for the first save of the tag; its folder is `TAG`, that of a later one `TAG~N`. */
  readonly generation: number;
  readonly step: number | null;
  /** ISO 8601, by the saver's clock. */
  readonly createdAt: string;
  /** The folder of the checkpoint that the run came from. */
  readonly parent: string | null;
  readonly software: Readonly<Record<string, string>>;
  /** The mesh that sharded tensors lay on. */
  readonly mesh: ManifestMesh | null;
  /** Who wrote: as many shard files as writers that had something to write. */
  readonly writers: number;
  /** By name. */
  readonly tensors: readonly ManifestTensor[];
  /** The rest of the state; see `encodeValues`. */
  readonly values: unknown;
  /** By name. */
  readonly files: readonly ManifestFile[];
  /** SHA-256 over names, dtypes, shapes and boxes: equal for saves of the same plan. */
  readonly planHash: string;
}

export interface ManifestMesh {
  readonly axes: readonly string[];
  readonly shape: readonly number[];
}

export interface ManifestTensor {
  /** The path of the leaf in the state, joined with `/`. */
  readonly name: string;
  readonly dtype: DType;
  /** Of the whole. */
  readonly shape: readonly number[];
  /** One placement for each mesh axis; null for a tensor that lay on no mesh. */
  readonly layout: readonly Placement[] | null;
  /** `digestOf` the whole, whatever its layout. */
  readonly digest: string;
  /** Boxes that cover the whole once, without overlap. Empty for a tensor without elements. */
  readonly chunks: readonly ManifestChunk[];
}

export interface ManifestChunk {
  readonly file: string;
  /** Its name in the safetensors file: `NAME@0,128`. */
  readonly key: string;
  /** Which elements, one slice for each dimension. */
  readonly box: readonly DimSlice[];
  /** Where its bytes begin, from the start of the file. */
  readonly offset: number;
  readonly bytes: number;
  /** Its bytes in order, each piece with a hash of its own: what a load verifies. */
  readonly pieces: readonly ManifestPiece[];
}

export interface ManifestPiece {
  readonly bytes: number;
  /** Of exactly these bytes, in hex. */
  readonly sha256: string;
}

export interface ManifestFile {
  readonly name: string;
  readonly bytes: number;
  /** Length and SHA-256 of the part before the tensors' bytes, which the pieces do not cover. */
  readonly headerBytes: number;
  readonly headerSha256: string;
}

/** `COMMIT`, one line of JSON, written last: without it there is no checkpoint. */
export interface Commit {
  readonly format: "tessera-commit";
  readonly version: 1;
  readonly tag: string;
  readonly generation: number;
  readonly step: number | null;
  readonly manifestBytes: number;
  readonly manifestSha256: string;
  readonly files: number;
  readonly tensors: number;
  /** Of all shard files together. */
  readonly totalBytes: number;
}
