import { type FileHandle, open } from "node:fs/promises";

const chunkBytes = 2 ** 18;

/**
 * Hands over the lines of a file from its last to its first until told to stop. A file that grows
 * for years is read no further than it is needed, and never beyond the limit.
 *
 * @param take returns whether it wants the line before
 * @throws what the file system says
 */
export async function readLinesBackwards(
  path: string,
  options: { readonly bytesMax: number; readonly take: (line: string) => boolean },
): Promise<void> {
  const file = await open(path, "r");
  try {
    await readAll(file, options);
  } finally {
    await file.close();
  }
}

async function readAll(
  file: FileHandle,
  options: { readonly bytesMax: number; readonly take: (line: string) => boolean },
): Promise<void> {
  const { size } = await file.stat();
  const stopAt = Math.max(0, size - options.bytesMax);
  // Bytes, not text: a chunk may begin amid a character.
  let rest = Buffer.alloc(0);
  for (let end = size; end > stopAt; end = Math.max(stopAt, end - chunkBytes)) {
    const start = Math.max(stopAt, end - chunkBytes);
    const chunk = Buffer.alloc(end - start);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, start);
    const bytes = Buffer.concat([chunk.subarray(0, bytesRead), rest]);
    const first = bytes.indexOf(10);
    if (start > stopAt && first === -1) {
      rest = bytes;
      continue;
    }
    // Before the first line end stands the end of a line that begins in an earlier chunk.
    const from = start === 0 ? 0 : first + 1;
    rest = Buffer.from(bytes.subarray(0, from));
    const lines = bytes.subarray(from).toString("utf8").split("\n");
    for (const line of lines.toReversed()) {
      if (line !== "" && !options.take(line)) return;
    }
  }
}
