import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../time/clock.ts";

/** How fast a disk makes a small write durable, measured. */
export interface DiskSync {
  readonly samples: number;
  readonly medianMs: number;
  readonly worstMs: number;
  readonly perSecond: number;
}

const blockBytes = 4096;

/**
 * Writes and syncs small blocks one after the other, as a database's log does, in a file of its
 * own that is removed afterwards. Stops after `samplesMax` or `budgetMs`, whichever is first.
 */
export async function measureDiskSync(
  folder: string,
  options: { readonly clock: Clock; readonly samplesMax: number; readonly budgetMs: number },
): Promise<DiskSync> {
  const { clock, samplesMax, budgetMs } = options;
  const path = join(folder, `.tessera-sync-${process.pid}`);
  const handle = await open(path, "w", 0o600);
  const startedMs = clock.monotonicMs();
  const takenMs: number[] = [];
  try {
    const block = Buffer.alloc(blockBytes, 1);
    do {
      const beforeMs = clock.monotonicMs();
      await handle.write(block, 0, blockBytes, takenMs.length * blockBytes);
      await handle.datasync();
      takenMs.push(clock.monotonicMs() - beforeMs);
    } while (takenMs.length < samplesMax && clock.monotonicMs() - startedMs < budgetMs);
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
  return summarize(takenMs);
}

function summarize(takenMs: readonly number[]): DiskSync {
  const sorted = takenMs.toSorted((one, other) => one - other);
  const totalMs = sorted.reduce((sum, ms) => sum + ms, 0);
  return {
    samples: sorted.length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    worstMs: sorted.at(-1) ?? 0,
    perSecond: totalMs === 0 ? Number.POSITIVE_INFINITY : (sorted.length * 1000) / totalMs,
  };
}
