import { join } from "node:path";
import { isTesseraError } from "../../../platform/errors/index.ts";
import { errorCodeOf } from "../../../platform/files/file-problem.ts";
import { type CheckpointFiles, type FolderEntry, readSmallFile } from "../files/index.ts";
import {
  type Committed,
  commitFileName,
  type Manifest,
  manifestFileName,
  parseCheckpointName,
  parseManifest,
  readCommitted,
} from "../manifest/index.ts";

/** One folder of a root that is called like a checkpoint. */
export interface Surveyed {
  readonly name: string;
  readonly tag: string;
  readonly generation: number;
  /** `good`: committed, and every file is there with its size. `foreign`: nothing of ours. */
  readonly status: "good" | "uncommitted" | "damaged" | "foreign";
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly parent: string | null;
}

const uncommittedManifestBytesMax = 64 * 2 ** 20;

/** The entries of a root; none when it does not exist. */
export async function listRoot(
  files: CheckpointFiles,
  root: string,
): Promise<readonly FolderEntry[]> {
  try {
    return await files.list(root);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * Every folder of a root that is called like a checkpoint, and what it is. Reads no tensors.
 *
 * @param options.tag leaves out what is committed under other tags, so that their manifests need not be read
 */
export async function survey(
  files: CheckpointFiles,
  root: string,
  options: { readonly tag?: string } = {},
): Promise<readonly Surveyed[]> {
  const found: Surveyed[] = [];
  for (const { name, kind, modifiedMs } of await listRoot(files, root)) {
    const called = kind === "folder" ? parseCheckpointName(name) : undefined;
    if (called === undefined) continue;
    const about = { name, ...called, modifiedMs };
    try {
      const isWanted = options.tag === undefined || options.tag === called.tag;
      const judged = await judge(files, join(root, name), isWanted);
      if (judged !== undefined) found.push({ ...about, ...judged });
    } catch (error) {
      // It was removed meanwhile.
      if (errorCodeOf(error) !== "ENOENT") throw error;
    }
  }
  return found;
}

type Judgement = Pick<Surveyed, "status" | "createdMs" | "parent">;

async function judge(
  files: CheckpointFiles,
  folder: string,
  isWanted: boolean,
): Promise<Judgement | undefined> {
  const inside = await files.list(folder);
  const names = new Set(inside.map(({ name }) => name));
  const unknown = { createdMs: Number.NaN, parent: null };
  if (!names.has(commitFileName)) {
    const manifest = await uncommittedManifest(files, folder);
    if (manifest === undefined) return { status: "foreign", ...unknown };
    return { status: "uncommitted", ...factsOf(manifest) };
  }
  if (!isWanted) return undefined;
  let committed: Committed | undefined;
  try {
    committed = await readCommitted(files, folder);
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    return { status: "damaged", ...unknown };
  }
  if (committed === undefined) return { status: "uncommitted", ...unknown };
  const wanted = new Map(committed.manifest.files.map(({ name, bytes }) => [name, bytes]));
  const isWhole =
    inside.length === wanted.size + 2 &&
    inside.every(({ name, kind, bytes }) => {
      if (name === commitFileName || name === manifestFileName) return true;
      return kind === "file" && wanted.get(name) === bytes;
    });
  return { status: isWhole ? "good" : "damaged", ...factsOf(committed.manifest) };
}

async function uncommittedManifest(
  files: CheckpointFiles,
  folder: string,
): Promise<Manifest | undefined> {
  try {
    const bytesMax = uncommittedManifestBytesMax;
    const bytes = await readSmallFile(files, join(folder, manifestFileName), { bytesMax });
    return parseManifest(bytes, { checkpoint: folder });
  } catch {
    // What cannot be read as ours is left alone.
    return undefined;
  }
}

function factsOf({ createdAt, parent }: Manifest): { createdMs: number; parent: string | null } {
  return { createdMs: new Date(createdAt).getTime(), parent };
}
