import { basename, dirname, join } from "node:path";
import { isTesseraError } from "../../../platform/errors/index.ts";
import { errorCodeOf, readError } from "../../../platform/files/file-problem.ts";
import type { CheckpointFiles, FolderEntry } from "../files/index.ts";
import { checkFolder } from "../load/check-folder.ts";
import { committedManifest } from "../load/read-manifest.ts";
import { scan } from "../load/scan.ts";
import { corrupt, type Manifest, StrictJsonError } from "../manifest/index.ts";
import { OpenFiles, wholeBox } from "../reshard/index.ts";
import {
  dtypeOfSafetensors,
  readHeader,
  type SafetensorsEntry,
  type SafetensorsHeader,
  safetensorsBits,
} from "../safetensors/index.ts";
import { followingLinks } from "./follow-links.ts";
import { isIndex, readIndex } from "./judge-folder.ts";
import { type Looked, lookAt, nothingThere } from "./look-at.ts";
import { type StoredTensor, storedTensor } from "./stored-tensor.ts";

/** A path whose tensors can be read; files are opened when they are. */
export interface OpenedPath {
  readonly kind: Looked["kind"];
  /** By name. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly open: OpenFiles;
  /** Headers of the files that others wrote, by name. */
  readonly headers: ReadonlyMap<string, SafetensorsHeader>;
  /** Of a checkpoint, or of the last committed one of a root. */
  readonly manifest?: Manifest;
  readonly folder: string;
}

/**
 * Opens what is at a path. Of checkpoints COMMIT, manifest and folder are checked, of other files the
 * headers; no data is read.
 *
 * @throws E_CHECKPOINT_MISSING, E_CHECKPOINT_CORRUPT, E_SAFETENSORS, E_FILE_READ
 */
export async function openPath(files: CheckpointFiles, path: string): Promise<OpenedPath> {
  const looked = await lookAt(files, path);
  switch (looked.kind) {
    case "file":
      return openOthers(followingLinks(files), dirname(looked.path), {
        kind: "file",
        names: [basename(looked.path)],
      });
    case "checkpoint":
      return openCheckpoint(files, looked.path, "checkpoint");
    case "root": {
      const found = await scan(files, looked.path);
      const newest = found.find(({ summary }) => summary.status === "committed");
      if (newest === undefined) {
        const damaged = found.find(({ summary }) => summary.status === "damaged");
        throw damaged?.problem ?? nothingThere(path);
      }
      return openCheckpoint(files, newest.folder, "root");
    }
    default:
      return openFolder(followingLinks(files), looked.path, looked.entries);
  }
}

async function openCheckpoint(
  files: CheckpointFiles,
  folder: string,
  kind: "checkpoint" | "root",
): Promise<OpenedPath> {
  const manifest = await committedManifest(files, folder);
  const name = basename(folder);
  await checkFolder(files, { name, folder }, manifest);
  const tensors = new Map(manifest.tensors.map((tensor) => [tensor.name, storedTensor(tensor)]));
  const open = new OpenFiles({ files, folder, checkpoint: name });
  return { kind, tensors, open, headers: new Map(), manifest, folder };
}

/** With an index, the tensors that it names; else all of all files. */
async function openFolder(
  files: CheckpointFiles,
  folder: string,
  entries: readonly FolderEntry[],
): Promise<OpenedPath> {
  const names = entries
    .filter(({ name, kind }) => kind !== "folder" && name.endsWith(".safetensors"))
    .map(({ name }) => name);
  if (names.length === 0) throw nothingThere(folder);
  const index = entries.find(isIndex);
  if (index === undefined) return openOthers(files, folder, { kind: "folder", names });
  const indexPath = join(folder, index.name);
  const named = await readIndex(files, indexPath).catch((error: unknown) => {
    if (!(error instanceof StrictJsonError)) throw unreadable(indexPath, error);
    const where = { checkpoint: basename(folder), file: index.name };
    throw corrupt(where, error.rule, error.message);
  });
  const opened = await openOthers(files, folder, { kind: "folder", names, named });
  for (const [tensor, file] of named) {
    if (opened.tensors.has(tensor)) continue;
    const where = { checkpoint: basename(folder), file: index.name };
    const problem = `it says that ${file} holds ${tensor}, which it does not`;
    throw corrupt(where, "index-tensor", problem, { tensor });
  }
  return opened;
}

async function openOthers(
  files: CheckpointFiles,
  folder: string,
  given: {
    readonly kind: "file" | "folder";
    readonly names: readonly string[];
    readonly named?: ReadonlyMap<string, string>;
  },
): Promise<OpenedPath> {
  const headers = new Map<string, SafetensorsHeader>();
  const tensors = new Map<string, StoredTensor>();
  const open = new OpenFiles({ files, folder, checkpoint: basename(folder) });
  for (const file of given.names) {
    const path = join(folder, file);
    const header = await readHeader(files, path).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    headers.set(file, header);
    for (const entry of header.entries) {
      if (given.named !== undefined && given.named.get(entry.name) !== file) continue;
      const other = tensors.get(entry.name)?.chunks[0]?.file;
      if (other !== undefined) {
        const problem = `${other} holds a tensor ${entry.name} as well, and no index says which counts`;
        throw corrupt(open.where(file), "tensor-twice", problem, { tensor: entry.name });
      }
      tensors.set(entry.name, tensorOf(entry, file, header));
    }
  }
  return { kind: given.kind, tensors, open, headers, folder };
}

/** What the file system says about a file that others wrote, for people. */
function unreadable(path: string, error: unknown): unknown {
  return isTesseraError(error) || errorCodeOf(error) === "" ? error : readError(path, error);
}

function tensorOf(
  { name, dtype, shape: declaredShape, begin, end }: SafetensorsEntry,
  file: string,
  { dataStart }: SafetensorsHeader,
): StoredTensor {
  const bits = safetensorsBits[dtype];
  // Elements that are no whole bytes are looked at as bytes.
  const isWhole = bits % 8 === 0;
  const shape = isWhole ? declaredShape : [end - begin];
  const elementBytes = isWhole ? bits / 8 : 1;
  const chunks = end === begin ? [] : [{ file, offset: dataStart + begin, box: wholeBox(shape) }];
  const ours = dtypeOfSafetensors(dtype);
  return { name, dtype, ours, declaredShape, shape, elementBytes, chunks };
}
