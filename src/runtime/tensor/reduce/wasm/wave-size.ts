import { dtypeInfo } from "../../dtype/index.ts";
import type { ResolvedRequest } from "../request.ts";
import { isReadFirst } from "./staging.ts";

/** Jobs of a wave: enough of them for threads of different speed to end at about the same time. */
export const jobsPerWave = 16;

const waveElements = 2 ** 22;
/** What sources that are read first may take in memory, all together. */
const readFirstBytesMax = 64 * 2 ** 20;

/** Elements of a wave: whole chunks, fewer when many sources must be read into memory first. */
export function waveSize({ dtype, sources }: ResolvedRequest, chunk: number): number {
  const readFirst = sources.filter((source) => isReadFirst(source, dtype)).length;
  if (readFirst === 0) return waveElements;
  const fitting = readFirstBytesMax / (readFirst * dtypeInfo(dtype).bytes);
  return Math.max(1, Math.floor(Math.min(waveElements, fitting) / chunk)) * chunk;
}
