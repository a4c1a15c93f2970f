import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureDir, readTextFile } from "../../../platform/files/index.ts";
import type { RunDetail } from "../experiment-detail.ts";
import { type Made, madeSchema, resultFiles } from "./orders.ts";

/** Larger than any page with its plots. */
const resultBytesMax = 64 * 2 ** 20;

/** A folder for the result of one child, which goes with it. */
export async function inFolder<T>(
  dataDir: string,
  id: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, "experiments", id);
  await rm(folder, { recursive: true, force: true });
  await ensureDir(folder, { mode: 0o700 });
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a run left: written by a process of ours and of the same version. */
export async function readRun(
  folder: string,
): Promise<{ readonly detail: RunDetail; readonly html: string }> {
  const [detail, html] = await Promise.all([
    read(folder, resultFiles.detail),
    read(folder, resultFiles.report),
  ]);
  return { detail: JSON.parse(detail) as RunDetail, html };
}

export async function readMade(folder: string): Promise<Made> {
  return madeSchema.parse(JSON.parse(await read(folder, resultFiles.made)));
}

function read(folder: string, name: string): Promise<string> {
  return readTextFile(join(folder, name), { sizeBytesMax: resultBytesMax });
}
