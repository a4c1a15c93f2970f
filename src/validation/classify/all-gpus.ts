import type { FigureGroup } from "./figure-group.ts";
import type { PreparedFigure } from "./prepare.ts";
import { ascending, medianOf, midmean } from "./stats/robust.ts";

/**
 * The figure with the samples of all GPUs of a run as one set, less what each place in the node
 * usually costs: a stall that wanders from GPU to GPU shows only there.
 */
export function overAllGpus(group: FigureGroup): FigureGroup {
  const places = usualPlaces(group);
  const runs = group.runs.map(({ prepared, figures }) => {
    const logs = ascending(
      figures.flatMap(({ gpu, logs: own }) => [...own].map((log) => log - (places.get(gpu) ?? 0))),
    );
    const figure: PreparedFigure = {
      base: group.base,
      gpu: undefined,
      logs,
      centre: midmean(logs),
      higherIsBetter: group.higherIsBetter,
    };
    return { prepared, figures: [figure] };
  });
  return { ...group, runs };
}

/** How far each GPU's centre usually is from the middle of its run. */
function usualPlaces({ runs }: FigureGroup): ReadonlyMap<number | undefined, number> {
  const offsets = new Map<number | undefined, number[]>();
  for (const { figures } of runs) {
    const middle = medianOf(figures.map(({ centre }) => centre));
    for (const { gpu, centre } of figures) {
      const own = offsets.get(gpu);
      if (own === undefined) offsets.set(gpu, [centre - middle]);
      else own.push(centre - middle);
    }
  }
  return new Map([...offsets].map(([gpu, values]) => [gpu, medianOf(values)]));
}
