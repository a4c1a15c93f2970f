import { basename, join } from "node:path";
import { TesseraError } from "../../platform/errors/index.ts";
import { errorCodeOf } from "../../platform/files/file-problem.ts";
import { openPath } from "../../runtime/checkpoint/examine/open-path.ts";
import type { CheckpointFiles } from "../../runtime/checkpoint/files/index.ts";
import { meshNotes, targetLayout } from "../../runtime/checkpoint/load/target-layout.ts";
import {
  isTag,
  type Manifest,
  type ManifestTensor,
  parseCheckpointName,
} from "../../runtime/checkpoint/manifest/index.ts";
import { Layout } from "../../runtime/dist/layout/index.ts";
import { type ReshardRequest, reshardUsage } from "./reshard-request.ts";

/** What a reshard would do, before it does anything. */
export interface ReshardPlan {
  readonly folder: string;
  readonly name: string;
  readonly tag: string;
  readonly manifest: Manifest;
  readonly tensors: readonly PlannedTensor[];
  readonly totalBytes: number;
  readonly notes: readonly string[];
}

export interface PlannedTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: number;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Looks at source and target. Refuses a target that already has the tag, because the save would
 * put itself in the place of what is there.
 *
 * @throws E_USAGE, E_CHECKPOINT_MISSING, E_CHECKPOINT_CORRUPT, E_CHECKPOINT_LAYOUT
 */
export async function planReshard(
  files: CheckpointFiles,
  request: ReshardRequest,
): Promise<ReshardPlan> {
  const { folder, manifest } = await sourceOf(files, request.fromPath);
  const tag: string = request.tag ?? manifest.tag;
  const isGood: boolean = isTag(tag);
  if (!isGood) {
    throw reshardUsage(`\`--tag ${tag}\` is none: up to 128 letters, digits, "_", "-" and "."`);
  }
  const taken = await nameTaken(files, request.root, tag);
  if (taken !== undefined) {
    throw reshardUsage(`${join(request.out, taken)} is there already: give another --tag or --out`);
  }
  const name = basename(folder);
  const tensors = manifest.tensors.map((tensor) => planTensor(tensor, { name, manifest, request }));
  return {
    folder,
    name,
    tag,
    manifest,
    tensors,
    totalBytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
    notes: meshNotes(manifest, request.mesh),
  };
}

/** The checkpoint at a path, or the last committed one of a root. */
async function sourceOf(
  files: CheckpointFiles,
  path: string,
): Promise<{ readonly folder: string; readonly manifest: Manifest }> {
  const { folder, manifest } = await openPath(files, path);
  if (manifest !== undefined) return { folder, manifest };
  const problem = "files that others wrote say of no mesh, only checkpoints can be laid out anew";
  throw new TesseraError("E_CHECKPOINT_MISSING", { where: `to reshard at ${path}`, problem });
}

/** A folder of the root that has this tag, finished or not. */
async function nameTaken(
  files: CheckpointFiles,
  root: string,
  tag: string,
): Promise<string | undefined> {
  try {
    const entries = await files.list(root);
    return entries.find(({ name }) => parseCheckpointName(name)?.tag === tag)?.name;
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    if (errorCodeOf(error) === "ENOTDIR") throw reshardUsage(`${root} is no folder`);
    throw error;
  }
}

function planTensor(
  tensor: ManifestTensor,
  about: { readonly name: string; readonly manifest: Manifest; readonly request: ReshardRequest },
): PlannedTensor {
  const { manifest, request } = about;
  const { name, dtype, shape, layout, chunks } = tensor;
  const question = { checkpoint: about.name, manifest, mesh: request.mesh, layouts: undefined };
  const before = layout === null ? null : new Layout(manifest.mesh?.axes ?? [], layout).describe();
  const after = targetLayout(tensor, question)?.describe() ?? null;
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  return { name, dtype, shape, bytes, before, after };
}
