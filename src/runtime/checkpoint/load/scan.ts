import { join, resolve } from "node:path";
import { mapConcurrent } from "../../../platform/concurrency/index.ts";
import type { TesseraError } from "../../../platform/errors/index.ts";
import { errorCodeOf, readError } from "../../../platform/files/file-problem.ts";
import { type CheckpointFiles, createNodeFiles, type FolderEntry } from "../files/index.ts";
import { type Manifest, parseCheckpointName } from "../manifest/index.ts";
import type { CheckpointPlace, CheckpointSummary } from "../options.ts";
import { newestFirst } from "./order.ts";
import { type CheckpointFolder, readManifest } from "./read-manifest.ts";

/** A folder that is called like a checkpoint. */
export interface ScannedCheckpoint extends CheckpointFolder {
  readonly summary: CheckpointSummary;
  /** When the folder last changed: the only age that a wholly unreadable one has. */
  readonly modifiedMs: number;
  readonly problem?: TesseraError;
  /** Only where it was asked for: a root may have many, and they are large. */
  readonly manifest?: Manifest;
}

/** Which folders of a root are looked at, and what is kept of them. */
export interface ScanOptions {
  /** By name. @default all */
  readonly isAsked?: (name: string) => boolean;
  /** @default false */
  readonly keepManifests?: boolean;
}

export const defaultRoot = ".tessera-checkpoints";

/** Manifests that are read at the same time. */
const readAtOnce = 4;

/** The root and the files of a place, with what is assumed when they are not given. */
export function placeOf({ root = defaultRoot, files = createNodeFiles() }: CheckpointPlace): {
  readonly root: string;
  readonly files: CheckpointFiles;
} {
  return { root: resolve(root), files };
}

/** Folders of a root that are called like checkpoints, newest first; none when there is no root. */
export async function scan(
  files: CheckpointFiles,
  root: string,
  { isAsked = () => true, keepManifests = false }: ScanOptions = {},
): Promise<readonly ScannedCheckpoint[]> {
  let entries: readonly FolderEntry[];
  try {
    entries = await files.list(root);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return [];
    throw readError(root, error);
  }
  const folders = entries.filter(
    ({ kind, name }) =>
      kind === "folder" && parseCheckpointName(name) !== undefined && isAsked(name),
  );
  const scanned = await mapConcurrent(folders, readAtOnce, async ({ name, modifiedMs }) => {
    const folder = join(root, name);
    const { manifest, ...rest } = await summarise(files, { name, folder });
    const kept = keepManifests && manifest !== undefined ? { manifest } : {};
    return { name, folder, modifiedMs, ...rest, ...kept };
  });
  return newestFirst(scanned);
}

/** What a folder's COMMIT and manifest say about it. */
async function summarise(
  files: CheckpointFiles,
  { name, folder }: CheckpointFolder,
): Promise<Pick<ScannedCheckpoint, "summary" | "problem" | "manifest">> {
  const { status, commit, manifest, problem } = await readManifest(files, folder);
  const { tag, generation } = parseCheckpointName(name) ?? { tag: name, generation: 1 };
  const summary: CheckpointSummary = {
    name,
    tag,
    generation,
    status,
    step: commit?.step ?? manifest?.step ?? null,
    createdAt: manifest?.createdAt ?? null,
    totalBytes: commit?.totalBytes ?? 0,
    ...(problem === undefined ? {} : { problem: problem.message }),
  };
  return {
    summary,
    ...(problem === undefined ? {} : { problem }),
    ...(manifest === undefined ? {} : { manifest }),
  };
}
