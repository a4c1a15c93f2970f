import assert from "node:assert/strict";
import type { Clock } from "../../platform/time/clock.ts";
import { version } from "../../version.ts";
import { type Defect, defects } from "../plan/index.ts";
import type { CampaignPart, CampaignRun, CanaryRun } from "./campaign-part.ts";
import type { RunSummary } from "./run-summary.ts";
import { swarmKind } from "./swarm/index.ts";
import type { CampaignWorker } from "./workers/index.ts";

/** Every so many runs one is made twice. */
export const twiceEvery = 10;
/** Plans that are tried until one of them shows a planted bug. */
export const canaryAttemptsMax = 12;
export const runsMax = 1_000_000;

export interface CampaignOptions {
  readonly seed: string;
  /** Indexes of runs: from the first up to but without the last. */
  readonly from: number;
  readonly to: number;
  /** No run is started after so long; canaries are always run. @default no limit */
  readonly timeBoxMs?: number;
  readonly workers: readonly CampaignWorker[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: CampaignProgress) => void;
  /** Of an earlier start: these are not made again. @default nothing */
  readonly known?: Pick<CampaignPart, "runs" | "canaries">;
  /** Hears of each as soon as it is made; the next is started when it has heard. */
  readonly onRun?: (run: CampaignRun) => Promise<void>;
  readonly onCanary?: (canary: CanaryRun) => Promise<void>;
}

export interface CampaignProgress {
  readonly done: number;
  readonly failed: number;
  /** Seconds of simulated time. */
  readonly simulatedSeconds: number;
}

/**
 * Runs a stretch of a campaign. What comes out does not depend on the number of workers; with a time box
 * only how far it gets does.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignPart> {
  const { seed, from, to, workers } = options;
  assert(from >= 0 && to > from && to - from <= runsMax, "a stretch has runs");
  assert(workers.length >= 1, "somebody carries out the runs");
  const known = new Map(options.known?.canaries.map((canary) => [canary.defect, canary]));
  const canaries = await inOrder(options, defects, async (worker, defect) => {
    const before = known.get(defect);
    if (before !== undefined) return before;
    const canary = await lookForDefect(worker, seed, defect);
    await options.onCanary?.(canary);
    return canary;
  });
  const runs = await swarmRuns(options);
  return { format: "tessera-chaos-campaign-part/1", version, seed, runs, canaries };
}

async function swarmRuns(options: CampaignOptions): Promise<readonly CampaignRun[]> {
  const { seed, from, to, clock, timeBoxMs = Number.POSITIVE_INFINITY, onProgress } = options;
  const known = (options.known?.runs ?? []).filter(({ index }) => index >= from && index < to);
  const isKnown = new Set(known.map(({ index }) => index));
  const startedMs = clock.monotonicMs();
  let [done, failed, simulatedSeconds] = [0, 0, 0];
  const count = (run: RunSummary): void => {
    done++;
    if (run.outcome === "fail") failed++;
    simulatedSeconds += run.seconds;
  };
  for (const run of known) count(run);
  const indexes = function* (): Generator<number> {
    let made = 0;
    for (let index = from; index < to; index++) {
      if (isKnown.has(index)) continue;
      // The first run is always made: no campaign is about nothing.
      if (made > 0 && clock.monotonicMs() - startedMs >= timeBoxMs) return;
      made++;
      yield index;
    }
  };
  const made = await inOrder(options, indexes(), async (worker, index) => {
    const twice = index % twiceEvery === 0;
    const summary = await worker.carryOut({ kind: "swarm", seed, index, twice });
    const run = { index, kind: swarmKind(seed, index), ...summary };
    count(run);
    onProgress?.({ done, failed, simulatedSeconds });
    await options.onRun?.(run);
    return run;
  });
  return [...known, ...made].toSorted((one, other) => one.index - other.index);
}

async function lookForDefect(
  worker: CampaignWorker,
  seed: string,
  defect: Defect,
): Promise<CanaryRun> {
  for (let attempt = 0; attempt < canaryAttemptsMax; attempt++) {
    const found = await worker.carryOut({ kind: "canary", seed, defect, attempt });
    if (found.outcome === "fail") return { defect, attempts: attempt + 1, found };
  }
  return { defect, attempts: canaryAttemptsMax, found: null };
}

/** Hands items out to workers as they become free; results are in the order of the items. */
async function inOrder<Item, Result>(
  { workers, signal }: CampaignOptions,
  items: Iterable<Item>,
  work: (worker: CampaignWorker, item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const iterator = items[Symbol.iterator]();
  let at = 0;
  let failure: unknown;
  const serve = async (worker: CampaignWorker): Promise<void> => {
    for (;;) {
      if (failure !== undefined || signal.aborted) return;
      const next = iterator.next();
      if (next.done === true) return;
      const place = at++;
      try {
        results[place] = await work(worker, next.value);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(workers.map(serve));
  signal.throwIfAborted();
  if (failure !== undefined) throw failure;
  return results;
}
