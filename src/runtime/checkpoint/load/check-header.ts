import { isTesseraError } from "../../../platform/errors/index.ts";
import { sameShape } from "../../tensor/shape.ts";
import {
  corrupt,
  type Manifest,
  type ManifestChunk,
  type ManifestFile,
  type ManifestTensor,
} from "../manifest/index.ts";
import { type OpenFiles, sha256, shapeOfBox } from "../reshard/index.ts";
import { parseHeader, type SafetensorsHeader, safetensorsDTypeOf } from "../safetensors/index.ts";

/** The chunks of a file, by their names in it. */
export type ChunksOfFile = ReadonlyMap<
  string,
  { readonly tensor: ManifestTensor; readonly chunk: ManifestChunk }
>;

/** The chunks of every file of a manifest. */
export function chunksByFile(manifest: Manifest): ReadonlyMap<string, ChunksOfFile> {
  const byFile = new Map<string, Map<string, { tensor: ManifestTensor; chunk: ManifestChunk }>>(
    manifest.files.map(({ name }) => [name, new Map()]),
  );
  for (const tensor of manifest.tensors) {
    for (const chunk of tensor.chunks) byFile.get(chunk.file)?.set(chunk.key, { tensor, chunk });
  }
  return byFile;
}

/** No header is longer than this: 8 bytes, and what safetensors allows. */
const headerBytesMax = 100_000_008;

/**
 * Reads a shard's header and compares it with the manifest, so that the file opens elsewhere as what
 * the manifest says it is.
 *
 * @throws E_CHECKPOINT_CORRUPT
 */
export async function checkHeader(
  open: OpenFiles,
  file: ManifestFile,
  chunks: ChunksOfFile,
): Promise<void> {
  const where = open.where(file.name);
  if (file.headerBytes > Math.min(file.bytes, headerBytesMax)) {
    throw corrupt(where, "header-size", `no header has ${file.headerBytes} bytes`);
  }
  const bytes = new Uint8Array(file.headerBytes);
  await open.read(file.name, bytes, 0);
  if ((await sha256(bytes)) !== file.headerSha256) {
    throw corrupt(where, "header-hash", "its header does not have the SHA-256 of the manifest");
  }
  const header = parsed(bytes, file, where.checkpoint);
  if (header.dataStart !== file.headerBytes) {
    const problem = `its header ends at ${header.dataStart}, and the manifest says ${file.headerBytes}`;
    throw corrupt(where, "header-size", problem);
  }
  compareEntries(header, chunks, (problem, tensor) => {
    throw corrupt(where, "header-agreement", problem, tensor === undefined ? {} : { tensor });
  });
}

function parsed(bytes: Uint8Array, file: ManifestFile, checkpoint: string): SafetensorsHeader {
  try {
    return parseHeader(bytes, { file: file.name, fileBytes: file.bytes });
  } catch (error) {
    if (!isTesseraError(error) || error.code !== "E_SAFETENSORS") throw error;
    const { rule, problem, tensor } = error.details;
    const about = typeof tensor === "string" ? { tensor, cause: error } : { cause: error };
    throw corrupt({ checkpoint, file: file.name }, String(rule), String(problem), about);
  }
}

function compareEntries(
  { entries, dataStart }: SafetensorsHeader,
  chunks: ChunksOfFile,
  refuse: (problem: string, tensor?: string) => never,
): void {
  if (entries.length !== chunks.size) {
    refuse(`it holds ${entries.length} tensors, and the manifest names ${chunks.size}`);
  }
  for (const { name, dtype, shape, begin, end } of entries) {
    const known = chunks.get(name);
    if (known === undefined)
      refuse(`it holds ${JSON.stringify(name)}, which the manifest does not name`);
    const { tensor, chunk } = known;
    const isSame =
      dtype === safetensorsDTypeOf(tensor.dtype) &&
      sameShape(shape, shapeOfBox(chunk.box)) &&
      dataStart + begin === chunk.offset &&
      end - begin === chunk.bytes;
    if (!isSame)
      refuse(`${name} has another dtype, shape or place than in the manifest`, tensor.name);
  }
}
