import { secondsPerDay, secondsPerHour } from "../prioritize/index.ts";
import type { EndedDefect } from "./defect-ledger.ts";

/** What a policy achieved on a log, and what it cost. The names are a contract. */
export interface PolicyMetrics {
  /** From onset to detection; undetected defects count with the time they were active. Null: none. */
  readonly meanTimeToDetectHours: number | null;
  /** The same, 90th percentile by nearest rank. */
  readonly p90TimeToDetectHours: number | null;
  /** Hours that jobs ran on defective nodes. */
  readonly exposureNodeHours: number;
  /** Share of nodes with a finished test at most 7 days old: the mean over the ends of the days. */
  readonly coverage: number;
  /** Tests that gave a result. */
  readonly testsRun: number;
  /** Of all tests, pre-empted ones with the time they used. */
  readonly gpuHours: number;
  /** Nodes without a defect that were taken away. */
  readonly falseQuarantines: number;
  readonly undetected: number;
}

const freshDays = 7;

/** Mean and p90 (nearest rank) of the times to detect. */
export function timesToDetect(
  ended: readonly EndedDefect[],
): Pick<PolicyMetrics, "meanTimeToDetectHours" | "p90TimeToDetectHours" | "undetected"> {
  const hours = ended.map((defect) => defect.hours).toSorted((a, b) => a - b);
  const undetected = ended.filter(({ wasFound }) => !wasFound).length;
  if (hours.length === 0) {
    return { meanTimeToDetectHours: null, p90TimeToDetectHours: null, undetected };
  }
  return {
    meanTimeToDetectHours: hours.reduce((sum, one) => sum + one, 0) / hours.length,
    p90TimeToDetectHours: hours[Math.ceil(0.9 * hours.length) - 1] ?? null,
    undetected,
  };
}

/** Adds up the hours that nodes were both busy and defective. */
export class ExposureMeter {
  readonly #sinceS: Float64Array;
  #seconds = 0;

  constructor(nodes: number) {
    this.#sinceS = new Float64Array(nodes).fill(Number.NaN);
  }

  get nodeHours(): number {
    return this.#seconds / secondsPerHour;
  }

  /** Says whether a node is exposed from now on. */
  set(node: number, isExposed: boolean, nowS: number): void {
    const since = this.#sinceS[node] ?? Number.NaN;
    if (!Number.isNaN(since)) this.#seconds += nowS - since;
    this.#sinceS[node] = isExposed ? nowS : Number.NaN;
  }

  close(nowS: number): void {
    for (let node = 0; node < this.#sinceS.length; node++) this.set(node, false, nowS);
  }
}

/** Samples at the end of each day how many nodes have a fresh result. */
export class CoverageMeter {
  readonly #finishedS: Float64Array;
  #days = 0;
  #sum = 0;

  constructor(nodes: number) {
    this.#finishedS = new Float64Array(nodes).fill(Number.NEGATIVE_INFINITY);
  }

  get share(): number {
    return this.#days === 0 ? 0 : this.#sum / this.#days;
  }

  finished(node: number, nowS: number): void {
    this.#finishedS[node] = nowS;
  }

  endDay(nowS: number): void {
    const fresh = this.#finishedS.filter((atS) => nowS - atS <= freshDays * secondsPerDay).length;
    this.#days++;
    this.#sum += fresh / this.#finishedS.length;
  }
}
