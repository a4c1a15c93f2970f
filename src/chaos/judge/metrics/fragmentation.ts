import type { JobEvent, MemorySample } from "../../record/index.ts";
import type { Recovery } from "../judgement.ts";
import { quantile, theilSen } from "../stats/index.ts";

type MemoryEvent = Extract<JobEvent, { kind: "memory" }>;

const hourUs = 3_600_000_000;

/** External: how much of the free memory the largest free block is not. 0 when nothing is free. */
export function externalFragmentation(memory: MemorySample): number {
  const { totalFreeBytes: free, largestFreeBytes: largest } = memory;
  return free === 0 ? 0 : 1 - largest / free;
}

/** Of the allocator: reserved and split, and used by nobody. */
export function allocatorFragmentation(memory: MemorySample): number {
  return memory.reservedBytes === 0 ? 0 : memory.inactiveSplitBytes / memory.reservedBytes;
}

/** Reserved and not allocated. */
export function memorySlack({ reservedBytes, allocatedBytes }: MemorySample): number {
  return reservedBytes === 0 ? 0 : (reservedBytes - allocatedBytes) / reservedBytes;
}

/** How much of the free memory requests of one size cannot use. 0 when nothing is free. */
export function unusableFor(freeBlocksBytes: readonly number[], requestBytes: number): number {
  const free = freeBlocksBytes.reduce((sum, bytes) => sum + bytes, 0);
  if (free === 0) return 0;
  const usable = freeBlocksBytes.reduce(
    (sum, bytes) => sum + Math.floor(bytes / requestBytes) * requestBytes,
    0,
  );
  return 1 - usable / free;
}

export interface MemoryFigures {
  readonly allocatorP95: number;
  readonly externalP95: number;
  readonly slackP95: number;
  /** Change of the allocator's fragmentation an hour; null for fewer than three moments. */
  readonly trendPerHour: number | null;
  /** Added over all devices. */
  readonly retries: number;
  readonly outOfMemories: number;
  /** How much more a device had reserved after a recovery than before, as a share; null without both. */
  readonly reservedGrowthMax: number | null;
}

/** Null where no device was looked at. */
export function memoryFigures(
  events: readonly JobEvent[],
  recoveries: readonly Recovery[],
): MemoryFigures | null {
  const samples = events.filter((event): event is MemoryEvent => event.kind === "memory");
  if (samples.length === 0) return null;
  const p95 = (measure: (memory: MemorySample) => number) =>
    quantile(
      samples.map(({ memory }) => measure(memory)),
      0.95,
    ) ?? 0;
  const trend = theilSen(
    samples.map(({ atUs, memory }) => ({ x: atUs / hourUs, y: allocatorFragmentation(memory) })),
  );
  const devices = byRank(samples);
  const added = (counter: (memory: MemorySample) => number) =>
    devices.reduce((sum, own) => sum + increase(own, counter), 0);
  return {
    allocatorP95: p95(allocatorFragmentation),
    externalP95: p95(externalFragmentation),
    slackP95: p95(memorySlack),
    trendPerHour: trend?.slope ?? null,
    retries: added(({ retries }) => retries),
    outOfMemories: added(({ outOfMemories }) => outOfMemories),
    reservedGrowthMax: reservedGrowth(devices, recoveries),
  };
}

function byRank(samples: readonly MemoryEvent[]): readonly (readonly MemoryEvent[])[] {
  const ranks = new Map<number, MemoryEvent[]>();
  for (const sample of samples) {
    const own = ranks.get(sample.rank);
    if (own === undefined) ranks.set(sample.rank, [sample]);
    else own.push(sample);
  }
  return [...ranks.values()];
}

/** A counter that starts again with its process has grown by all it shows. */
function increase(
  samples: readonly MemoryEvent[],
  counter: (memory: MemorySample) => number,
): number {
  let sum = 0;
  for (let at = 1; at < samples.length; at++) {
    const [before, after] = [samples[at - 1], samples[at]];
    if (before === undefined || after === undefined) continue;
    const difference = counter(after.memory) - counter(before.memory);
    sum += difference >= 0 ? difference : counter(after.memory);
  }
  return sum;
}

function reservedGrowth(
  ranks: readonly (readonly MemoryEvent[])[],
  recoveries: readonly Recovery[],
): number | null {
  let most: number | null = null;
  for (const { effectUs, endsUs } of recoveries) {
    const { regain } = endsUs;
    if (regain === null) continue;
    for (const samples of ranks) {
      const before = samples.findLast(({ atUs }) => atUs < effectUs)?.memory.reservedBytes;
      const after = samples.find(({ atUs }) => atUs >= regain)?.memory.reservedBytes;
      if (before === undefined || after === undefined || before === 0) continue;
      most = Math.max(most ?? Number.NEGATIVE_INFINITY, after / before - 1);
    }
  }
  return most;
}
