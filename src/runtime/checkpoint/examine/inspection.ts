import type { CheckpointSummary } from "../options.ts";

/** One tensor, as its file or manifest describes it. */
export interface TensorFacts {
  readonly name: string;
  /** Ours (`bf16`) in a checkpoint, that of the file (`BF16`, `I64`) elsewhere. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: number;
  /** How it lay on its mesh: `tp: S(0), dp: R`; undefined where there was no mesh. */
  readonly layout?: string;
  /** `digestOf` the whole; only checkpoints know it without reading. */
  readonly digest?: string;
  /** The files that hold a part of it. */
  readonly files: readonly string[];
}

export interface FileFacts {
  readonly name: string;
  readonly bytes: number;
  readonly tensors: number;
  /** `__metadata__` of the file. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** What a checkpoint says about itself. */
export interface CheckpointFacts {
  readonly name: string;
  readonly tag: string;
  readonly generation: number;
  readonly step: number | null;
  readonly createdAt: string;
  readonly parent: string | null;
  readonly software: Readonly<Record<string, string>>;
  readonly mesh: { readonly axes: readonly string[]; readonly shape: readonly number[] } | null;
  readonly writers: number;
  readonly planHash: string;
  /** The rest of the state, as the manifest has it. */
  readonly values: unknown;
}

/** What lies at a path. Nothing but headers, COMMIT and manifest was read: the data is not verified. */
export interface Inspection {
  readonly path: string;
  /** One file; one of our checkpoints; a folder of them; a folder of files that others wrote. */
  readonly kind: "file" | "checkpoint" | "root" | "folder";
  readonly tensors: readonly TensorFacts[];
  readonly files: readonly FileFacts[];
  /** Of all tensors. */
  readonly tensorBytes: number;
  readonly fileBytes: number;
  /** Of a checkpoint. */
  readonly checkpoint?: CheckpointFacts;
  /** Of a root: what is in it, newest first. */
  readonly checkpoints?: readonly CheckpointSummary[];
}
