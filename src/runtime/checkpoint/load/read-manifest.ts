import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { isTesseraError, type TesseraError } from "../../../platform/errors/index.ts";
import { type CheckpointFiles, readSmallFile } from "../files/index.ts";
import {
  type Commit,
  commitFileName,
  corrupt,
  type Manifest,
  manifestFileName,
  parseCommit,
  parseManifest,
  readCommitted,
} from "../manifest/index.ts";
import { pieceProblem } from "../reshard/index.ts";

/** The folder of a checkpoint, and its name in the root. */
export interface CheckpointFolder {
  readonly name: string;
  readonly folder: string;
}

/** What COMMIT and manifest of a folder say. */
export interface ManifestFindings {
  /** `uncommitted`: there is no COMMIT, so that the save was never finished. */
  readonly status: "committed" | "uncommitted" | "damaged";
  /** Only what can be read; of a damaged checkpoint nothing but its age may be taken from them. */
  readonly commit?: Commit;
  readonly manifest?: Manifest;
  /** Why it is not committed. */
  readonly problem?: TesseraError;
}

/** More than any manifest has that can be committed. */
const smallBytesMax = 512 * 1024 * 1024;

/** Reads COMMIT and manifest of a folder, and whether they belong together and to its name. */
export async function readManifest(
  files: CheckpointFiles,
  folder: string,
): Promise<ManifestFindings> {
  const name = basename(folder);
  try {
    const committed = await readCommitted(files, folder);
    if (committed !== undefined) {
      refuseBadPieces(committed.manifest, name);
      return { status: "committed", ...committed };
    }
    const where = { checkpoint: name, file: commitFileName };
    const problem = corrupt(where, "uncommitted", "there is none, so that its save never finished");
    return { status: "uncommitted", problem, ...(await whatIsLeft(files, folder)) };
  } catch (problem) {
    if (!isCorrupt(problem)) throw problem;
    return { status: "damaged", problem, ...(await whatIsLeft(files, folder)) };
  }
}

/** The manifest of a committed checkpoint. @throws E_CHECKPOINT_CORRUPT when it is not */
export async function committedManifest(files: CheckpointFiles, folder: string): Promise<Manifest> {
  const { manifest, problem } = await readManifest(files, folder);
  if (problem !== undefined) throw problem;
  assert(manifest !== undefined, "a committed checkpoint has a manifest");
  return manifest;
}

export function isCorrupt(thrown: unknown): thrown is TesseraError {
  return isTesseraError(thrown) && thrown.code === "E_CHECKPOINT_CORRUPT";
}

function refuseBadPieces({ tensors }: Manifest, checkpoint: string): void {
  for (const tensor of tensors) {
    const problem = pieceProblem(tensor);
    if (problem === undefined) continue;
    const where = { checkpoint, file: manifestFileName };
    throw corrupt(where, "piece-bytes", problem, { tensor: tensor.name });
  }
}

async function whatIsLeft(
  files: CheckpointFiles,
  folder: string,
): Promise<Pick<ManifestFindings, "commit" | "manifest">> {
  const where = { checkpoint: basename(folder) };
  const tried = async <T>(file: string, parse: (bytes: Uint8Array) => T) => {
    try {
      return parse(await readSmallFile(files, join(folder, file), { bytesMax: smallBytesMax }));
    } catch {
      return undefined;
    }
  };
  const commit = await tried(commitFileName, (bytes) => parseCommit(bytes, where));
  const manifest = await tried(manifestFileName, (bytes) => parseManifest(bytes, where));
  return {
    ...(commit === undefined ? {} : { commit }),
    ...(manifest === undefined ? {} : { manifest }),
  };
}
