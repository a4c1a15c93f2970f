import { floorOf, type SkuFloor } from "./floors.ts";
import type { PreparedRun } from "./prepare.ts";
import { fromLog } from "./prepare.ts";
import { quantile } from "./stats/robust.ts";
import { amount } from "./text.ts";
import type { ClassifyFinding } from "./types.ts";
import { conversionFactor } from "./units.ts";

/** What the floors say about a run. */
export interface FloorResult {
  /** Whether any figure of the run has a floor. */
  readonly applies: boolean;
  readonly verdict: "pass" | "warn" | "fail" | "unknown";
  readonly finding?: ClassifyFinding;
  readonly text?: string;
}

const rank = { pass: 0, warn: 1, unknown: 2, fail: 3 } as const;
/** A floor's warning lies near what is usual; more than twice of it is no measurement of that. */
const tooMuch = 2;

/** Holds the median of every figure that has a floor against it. */
export function judgeFloors(
  { run, figures }: PreparedRun,
  floors: readonly SkuFloor[],
  unitOf: (check: string, name: string) => string | undefined,
): FloorResult {
  let worst: FloorResult = { applies: false, verdict: "pass" };
  for (const [name, figure] of figures) {
    const floor = floorOf(floors, { sku: run.sku, check: run.check, figure: figure.base });
    if (floor === undefined || floor.higherIsBetter !== figure.higherIsBetter) continue;
    const factor = conversionFactor(unitOf(run.check, name) ?? floor.unit, floor.unit);
    if (factor === undefined) continue;
    const value = factor * fromLog(quantile(figure.logs, 0.5), figure.higherIsBetter);
    const result = judgeFloor(value, name, floor);
    if (!worst.applies || rank[result.verdict] > rank[worst.verdict]) worst = result;
  }
  return worst;
}

/** What a floor says of a figure's median; the value is in the floor's unit. */
export function judgeFloor(value: number, metric: string, floor: SkuFloor): FloorResult {
  const { fail, warn, unit, higherIsBetter, sku, check } = floor;
  const cohort = `${sku} ${check}, floor`;
  const isWorse = (bound: number) => (higherIsBetter ? value < bound : value > bound);
  const shown = amount(value, unit);
  const side = higherIsBetter ? "below" : "above";
  const found = (bound: number) => ({ metric, rule: "floor", value, bound, cohort }) as const;
  if (isWorse(fail)) {
    const text = `${metric} is ${shown}, ${side} the floor of ${amount(fail, unit)} for ${sku}`;
    return { applies: true, verdict: "fail", finding: found(fail), text };
  }
  if (isWorse(warn)) {
    const text = `${metric} is ${shown}, ${side} the warning floor of ${amount(warn, unit)} for ${sku}`;
    return { applies: true, verdict: "warn", finding: found(warn), text };
  }
  if (floor.ceiling !== undefined && higherIsBetter && value > tooMuch * warn) {
    const text = `${metric} is ${shown}, more than ${sku} can do`;
    const bound = tooMuch * warn;
    const finding = { metric, rule: "implausible", value, bound, cohort } as const;
    return { applies: true, verdict: "unknown", finding, text };
  }
  return { applies: true, verdict: "pass" };
}
