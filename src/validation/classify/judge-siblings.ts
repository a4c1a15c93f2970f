import type { Alarm } from "./alarm.ts";
import { buildSeries, type Observation } from "./build-series.ts";
import type { FigureGroup } from "./figure-group.ts";
import { type AlarmRates, judgeSeries } from "./judge-series.ts";
import { learnReference } from "./reference.ts";
import { medianOf } from "./stats/robust.ts";
import { percent } from "./text.ts";

const sigmaMin = 0.0007;
/** With fewer siblings nobody can say which of them is the odd one. */
const siblingsMin = 3;

/**
 * Judges each GPU of a node against the other GPUs of the same run, less what its place in the
 * node usually costs.
 */
export function judgeSiblings(group: FigureGroup, rates: AlarmRates): readonly Alarm[] {
  const offsets = group.runs.flatMap(offsetsOf);
  const places = new Map<number, number[]>();
  for (const { gpu = 0, value } of offsets) {
    const values = places.get(gpu);
    if (values === undefined) places.set(gpu, [value]);
    else values.push(value);
  }
  const usual = new Map([...places].map(([gpu, values]) => [gpu, medianOf(values)]));
  return [...places.keys()].length < siblingsMin
    ? []
    : alarmsOf(
        group,
        offsets.map((one) => ({ ...one, value: one.value - (usual.get(one.gpu ?? 0) ?? 0) })),
        rates,
      );
}

/** How far each GPU is from the middle of the others. */
function offsetsOf({ prepared, figures }: FigureGroup["runs"][number]): Observation[] {
  if (figures.length < siblingsMin) return [];
  return figures.map(({ gpu, centre }, own) => {
    const others = figures.filter((_, at) => at !== own).map((figure) => figure.centre);
    return { prepared, gpu, value: centre - medianOf(others) };
  });
}

function alarmsOf(
  group: FigureGroup,
  observations: readonly Observation[],
  rates: AlarmRates,
): readonly Alarm[] {
  const series = buildSeries(observations);
  const reference = learnReference(series, { sigmaMin, populations: false });
  return judgeSeries(series, reference, rates).flatMap(
    ({ run, gpu = 0, kind, excess, value, bound }): Alarm[] => {
      if (kind === "faster") return [];
      const metric = `${group.base}.gpu${gpu}`;
      const behind = percent(1 - Math.exp(value));
      const usual = percent(1 - Math.exp(bound));
      return [
        {
          run,
          metric,
          rule: "siblings",
          kind,
          excess,
          value: Math.exp(value),
          bound: Math.exp(bound),
          text: `${metric} is ${behind} worse than its siblings, where at most ${usual} is usual`,
          cohort: group.label,
        },
      ];
    },
  );
}
