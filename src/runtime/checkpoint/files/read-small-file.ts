import type { CheckpointFiles } from "./checkpoint-files.ts";

/**
 * All bytes of a file that is held in memory whole. Nothing is allocated beyond its size on the disk.
 *
 * @throws the system's own error; EFBIG when it is larger than `bytesMax`.
 */
export async function readSmallFile(
  files: CheckpointFiles,
  path: string,
  { bytesMax }: { readonly bytesMax: number },
): Promise<Uint8Array> {
  const file = await files.open(path);
  try {
    if (file.bytes > bytesMax) {
      const problem = `EFBIG: ${file.bytes} bytes are more than ${bytesMax}, read '${path}'`;
      throw Object.assign(new Error(problem), { code: "EFBIG" });
    }
    const bytes = new Uint8Array(file.bytes);
    const there = await file.read(bytes, 0);
    return bytes.subarray(0, there);
  } finally {
    await file.close();
  }
}
