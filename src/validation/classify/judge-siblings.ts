import type { Alarm } from "./alarm.ts";
import { buildSeries, type Observation } from "./build-series.ts";
import type { FigureGroup } from "./figure-group.ts";
import { type AlarmRates, judgeSeries } from "./judge-series.ts";
import { learnReference } from "./reference.ts";
import type { Series } from "./series.ts";
import { ascending, medianOf, medianWithout } from "./stats/robust.ts";
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
  for (const { gpu = 0, offset } of offsets) {
    const own = places.get(gpu);
    if (own === undefined) places.set(gpu, [offset]);
    else own.push(offset);
  }
  if (places.size < siblingsMin) return [];
  const usual = new Map([...places].map(([gpu, own]) => [gpu, medianOf(own)]));
  const values = offsets.map(({ gpu = 0, offset }) => offset - (usual.get(gpu) ?? 0));
  return alarmsOf(group, buildSeries(offsets, values), rates);
}

interface GpuOffset extends Observation {
  readonly offset: number;
}

/** How far each GPU is from the middle of the others. */
function offsetsOf({ prepared, figures }: FigureGroup["runs"][number]): readonly GpuOffset[] {
  if (figures.length < siblingsMin) return [];
  const sorted = ascending(figures.map(({ centre }) => centre));
  return figures.map(({ gpu, centre }) => {
    const offset = centre - medianWithout(sorted, centre);
    return { prepared, gpu, offset };
  });
}

function alarmsOf(
  group: FigureGroup,
  series: readonly Series[],
  rates: AlarmRates,
): readonly Alarm[] {
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
