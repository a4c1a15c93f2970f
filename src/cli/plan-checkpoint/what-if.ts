import { type CheckpointJob, ettrOf, exactIntervalS } from "../../runtime/planning/index.ts";

export interface Improvement {
  readonly change: string;
  /** At its own best interval. */
  readonly ettr: number;
}

/** What half of each cost would be worth, the most worth first; what costs nothing is left out. */
export function improvements(job: CheckpointJob): readonly Improvement[] {
  const { mtbfS, blockingS, writeS, restartS, detectS } = job;
  const halved: readonly (readonly [string, CheckpointJob])[] = [
    ["half as many failures", { ...job, mtbfS: 2 * mtbfS }],
    ["saves twice as fast", { ...job, blockingS: blockingS / 2, writeS: writeS / 2 }],
    ["restarts twice as fast", { ...job, restartS: restartS / 2 }],
    ["detection twice as fast", { ...job, detectS: detectS / 2 }],
  ];
  const costs = [true, true, restartS > 0, detectS > 0];
  return halved
    .filter((_, index) => costs[index])
    .map(([change, better]) => ({ change, ettr: ettrOf(better, exactIntervalS(better)) }))
    .toSorted((a, b) => b.ettr - a.ettr);
}
