import { createHash } from "node:crypto";
import { join } from "node:path";
import { errorCodeOf } from "../../../platform/files/file-problem.ts";
import { type CheckpointFiles, writeSmallFile } from "../files/index.ts";
import {
  checkpointName,
  commitFileName,
  formatCommit,
  formatManifest,
  type Manifest,
  manifestFileName,
  parseCheckpointName,
} from "../manifest/index.ts";
import { type InFile, type SaveWhere, writeFailure } from "./failures.ts";
import { retire } from "./retire.ts";
import { listRoot } from "./survey.ts";

export interface PublishOptions extends SaveWhere {
  readonly files: CheckpointFiles;
  /** The name of the folder with the shards, below the root. */
  readonly temp: string;
  readonly unique: string;
  readonly manifestOf: (generation: number) => Manifest;
  readonly inFile: InFile;
  /** Called at the last moment: throws when the checkpoint must not become valid. */
  readonly stillWanted: () => void;
}

/** A folder that has its name and everything but its COMMIT. */
export interface Claimed {
  readonly name: string;
  readonly generation: number;
  readonly totalBytes: number;
  readonly manifest: Manifest;
  readonly manifestBytes: Uint8Array;
}

const claimsMax = 8;
const commitTempName = ".COMMIT.tmp";
const taken = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR"]);

/**
 * The second and last step of publishing: COMMIT, durable after all that it speaks of. Until COMMIT has
 * its name there is no checkpoint, and once it has, everything is on the disk. When it fails, the folder
 * is taken away again.
 *
 * @throws E_CHECKPOINT_WRITE
 */
export async function commitClaimed(options: PublishOptions, claimed: Claimed): Promise<void> {
  const { files, root, unique, inFile } = options;
  const { name, generation, manifest, manifestBytes, totalBytes } = claimed;
  try {
    await inFile(root, () => files.syncFolder(root));
    options.stillWanted();
    const commit = formatCommit({
      format: "tessera-commit",
      version: 1,
      tag: manifest.tag,
      generation,
      step: manifest.step,
      manifestBytes: manifestBytes.length,
      manifestSha256: createHash("sha256").update(manifestBytes).digest("hex"),
      files: manifest.files.length,
      tensors: manifest.tensors.length,
      totalBytes,
    });
    const folder = join(root, name);
    await inFile(`${name}/${commitFileName}`, async () => {
      await writeSmallFile(files, join(folder, commitTempName), commit);
      await files.rename(join(folder, commitTempName), join(folder, commitFileName));
      await files.syncFolder(folder);
    });
  } catch (error) {
    // The first error is the one to report.
    await retire(files, { root, name, unique }).catch(() => {});
    throw error;
  }
}

/**
 * The first step: a folder of durable shards gets its manifest, and then its own name. The rename is
 * the claim: of two writers, one gets the name and the other takes the next.
 *
 * @throws E_CHECKPOINT_WRITE
 */
export async function claimName(options: PublishOptions): Promise<Claimed> {
  const { files, root, tag, temp, manifestOf, inFile } = options;
  const folder = join(root, temp);
  const path = join(folder, manifestFileName);
  let generation = 0;
  for (let tries = 0; tries < claimsMax; tries++) {
    generation = Math.max(generation + 1, await nextGeneration(options));
    const name = checkpointName(tag, generation);
    const manifest = manifestOf(generation);
    const manifestBytes = formatManifest(manifest);
    await inFile(manifestFileName, async () => {
      if (tries > 0) await files.remove(path);
      await writeSmallFile(files, path, manifestBytes);
      await files.syncFolder(folder);
    });
    options.stillWanted();
    try {
      await files.rename(folder, join(root, name));
      const totalBytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
      return { name, generation, totalBytes, manifest, manifestBytes };
    } catch (error) {
      if (!taken.has(errorCodeOf(error))) throw writeFailure(options, error, name);
    }
  }
  const problem = `${claimsMax} other saves took the names from ${checkpointName(tag, 1)} on`;
  throw writeFailure(options, new Error(problem));
}

/** One more than any folder of the tag has, committed or not. */
async function nextGeneration({ files, root, tag, inFile }: PublishOptions): Promise<number> {
  const entries = await inFile(root, () => listRoot(files, root));
  return entries.reduce((next, { name }) => {
    const called = parseCheckpointName(name);
    return called?.tag === tag ? Math.max(next, called.generation + 1) : next;
  }, 1);
}
