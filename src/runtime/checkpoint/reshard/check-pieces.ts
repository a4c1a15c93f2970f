import { dtypeInfo } from "../../tensor/dtype/index.ts";
import type { ManifestTensor } from "../manifest/manifest.ts";

/** A piece is hashed in one go, so that it must fit into memory beside all others under way. */
const pieceBytesMax = 64 * 1024 * 1024;

/** What is wrong with the pieces of a tensor's chunks, beyond what a manifest is refused for; or undefined. */
export function pieceProblem({
  dtype,
  chunks,
}: Pick<ManifestTensor, "dtype" | "chunks">): string | undefined {
  const elementBytes = dtypeInfo(dtype).bytes;
  for (const { key, pieces } of chunks) {
    for (const { bytes } of pieces) {
      if (bytes % elementBytes !== 0)
        return `a piece of ${key} with ${bytes} bytes cuts an element`;
      if (bytes > pieceBytesMax) return `a piece of ${key} has ${bytes} bytes, more than 64 MiB`;
    }
  }
  return undefined;
}
