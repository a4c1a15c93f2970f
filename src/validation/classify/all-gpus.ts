import type { FigureGroup } from "./figure-group.ts";
import type { PreparedFigure } from "./prepare.ts";
import { medianOf, midmean } from "./stats/robust.ts";
import { sortInPlace } from "./stats/sort-in-place.ts";

/**
 * The figure with the samples of all GPUs of a run as one set, less what each place in the node
 * usually costs: a stall that wanders from GPU to GPU shows only there.
 */
export function overAllGpus(group: FigureGroup): FigureGroup {
  const places = usualPlaces(group);
  const runs = group.runs.map(({ prepared, figures }) => {
    const logs = allLogs(figures, places);
    const figure: PreparedFigure = {
      base: group.base,
      gpu: undefined,
      family: group.base,
      logs,
      centre: midmean(logs),
      higherIsBetter: group.higherIsBetter,
    };
    return { prepared, figures: [figure] };
  });
  return { ...group, runs };
}

type Places = ReadonlyMap<number | undefined, number>;

function allLogs(figures: readonly PreparedFigure[], places: Places): Float64Array {
  const all = new Float64Array(figures.reduce((total, { logs }) => total + logs.length, 0));
  let next = 0;
  for (const { gpu, logs } of figures) {
    const place = places.get(gpu) ?? 0;
    for (let at = 0; at < logs.length; at++) all[next++] = (logs[at] ?? 0) - place;
  }
  sortInPlace(all, 0, all.length);
  return all;
}

/** How far each GPU's centre usually is from the middle of its run. */
function usualPlaces({ runs }: FigureGroup): Places {
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
