import type { CheckpointFiles } from "./checkpoint-files.ts";

/** Writes a new file whole, durably; its name is durable only after `syncFolder`. @throws EEXIST */
export async function writeSmallFile(
  files: CheckpointFiles,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const file = await files.create(path);
  try {
    await file.write(bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}
