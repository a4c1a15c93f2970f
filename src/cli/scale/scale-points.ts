import { modelCollective } from "../../runtime/dist/time-model/index.ts";
import type { ScalingMeasurement } from "../../runtime/ranks/tasks/scaling.ts";
import type { ScaleRequest } from "./request.ts";

/** One number of ranks. */
export interface ScalePoint {
  readonly ranks: number;
  /** Rows of all ranks together in one step. */
  readonly rows: number;
  /** The median step, each that of its slowest rank. */
  readonly stepUs: number;
  /** Of that step, the share until the gradients were summed. */
  readonly communicationUs: number;
  readonly rowsPerSecond: number;
  /** Against the smallest number of ranks measured: 1 is ideal. */
  readonly efficiency: number;
  /** What the model expects: the computation of the smallest number of ranks, and its all-reduce. */
  readonly modelledStepUs: number | undefined;
  /** Of the summed gradients, the same wherever so many ranks take these steps; absent when ranks disagree. */
  readonly digest?: string;
}

/** What was measured with one number of ranks, by rank. */
export interface ScaleRun {
  readonly ranks: number;
  readonly measured: readonly ScalingMeasurement[];
}

const elementBytes = 4;

/** Puts the runs together. Pure. @param runs in rising order of ranks. */
export function scalePoints(
  request: ScaleRequest,
  runs: readonly ScaleRun[],
): readonly ScalePoint[] {
  const plain = runs.map((run) => ({ ...run, ...medianStep(run) }));
  const [base] = plain;
  if (base === undefined) return [];
  const baseRows = rowsOf(request, base.ranks);
  const baseRate = baseRows / base.stepUs / base.ranks;
  const computeUsPerRow = ((base.stepUs - base.communicationUs) / baseRows) * base.ranks;
  return plain.map(({ ranks, stepUs, communicationUs, measured }) => {
    const rows = rowsOf(request, ranks);
    const [digest, ...others] = new Set(measured.map((one) => one.digest));
    return {
      ranks,
      rows,
      stepUs,
      communicationUs,
      rowsPerSecond: (rows / stepUs) * 1e6,
      efficiency: rows / stepUs / ranks / baseRate,
      modelledStepUs: modelledStep(request, { ranks, computeUs: (rows / ranks) * computeUsPerRow }),
      ...(digest === undefined || others.length > 0 ? {} : { digest }),
    };
  });
}

/** Rows of one rank in one step. */
export function rowsOfRank({ kind, batch }: ScaleRequest, ranks: number): number {
  return kind === "weak" ? batch : Math.max(1, Math.floor(batch / ranks));
}

function rowsOf(request: ScaleRequest, ranks: number): number {
  return rowsOfRank(request, ranks) * ranks;
}

function modelledStep(
  { topology, size }: ScaleRequest,
  { ranks, computeUs }: { readonly ranks: number; readonly computeUs: number },
): number | undefined {
  if (topology === undefined) return undefined;
  if (ranks === 1) return computeUs;
  const bytes = size * size * elementBytes;
  return computeUs + modelCollective({ op: "all-reduce", bytes, devices: ranks, topology }).timeUs;
}

/** The step in the middle, by the time of each step's slowest rank. */
function medianStep({ measured }: ScaleRun): { stepUs: number; communicationUs: number } {
  const count = Math.min(...measured.map(({ steps }) => steps.length));
  const slowest = Array.from({ length: count }, (_, index) => {
    const all = measured.flatMap(({ steps }) => steps[index] ?? []);
    return {
      stepUs: Math.max(...all.map(({ totalUs }) => totalUs)),
      // The rank that computes longest waits least; what it waits is no one's computation.
      communicationUs: Math.min(...all.map(({ communicationUs }) => communicationUs)),
    };
  }).toSorted((a, b) => a.stepUs - b.stepUs);
  return slowest[slowest.length >> 1] ?? { stepUs: Number.NaN, communicationUs: Number.NaN };
}

/** Whether every rank of each run came to the same sum of gradients. */
export function disagreeing(runs: readonly ScaleRun[]): readonly number[] {
  return runs
    .filter(({ measured }) => new Set(measured.map(({ digest }) => digest)).size > 1)
    .map(({ ranks }) => ranks);
}
