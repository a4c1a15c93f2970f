import type { SkuFloor } from "./floors.ts";
import { isKnownUnit } from "./units.ts";

/** A floor this far from the best the hardware can do cannot tell good from bad. */
const laxest = 4;

/** What is implausible in a table of floors, one sentence each; none for a sound table. */
export function lintFloors(floors: readonly SkuFloor[]): readonly string[] {
  const seen = new Set<string>();
  return floors.flatMap((floor) => {
    const name = `${floor.sku} ${floor.check} ${floor.figure}`;
    const problems = problemsOf(floor).map((problem) => `${name}: ${problem}`);
    if (seen.has(name)) problems.push(`${name}: there are two floors`);
    seen.add(name);
    return problems;
  });
}

function problemsOf(floor: SkuFloor): string[] {
  const { fail, warn, ceiling, higherIsBetter } = floor;
  const problems: string[] = [];
  const values = [fail, warn, ...(ceiling === undefined ? [] : [ceiling])];
  if (!values.every((value) => Number.isFinite(value) && value > 0)) {
    return ["a bound is not a positive number"];
  }
  const [worst, middle, best] = higherIsBetter ? values : values.map((value) => 1 / value);
  if (worst === undefined || middle === undefined) return problems;
  if (worst >= middle) problems.push("it warns only where it already fails");
  if (best !== undefined) {
    if (middle >= best) problems.push("not even the hardware's best would be good enough");
    if (best / worst > laxest) problems.push("it fails only far from what the hardware can do");
  }
  if (!isKnownUnit(floor.unit)) {
    problems.push(`the unit ${floor.unit} is not known`);
  }
  if (floor.sku !== floor.sku.toLowerCase()) problems.push("the SKU is not in lower case");
  if (floor.source.trim().length < 10) problems.push("the source is missing");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(floor.date)) problems.push("the date is not YYYY-MM-DD");
  return problems;
}
