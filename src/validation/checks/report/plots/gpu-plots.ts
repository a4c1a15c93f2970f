import type {
  BarsPlot,
  HeatMapPlot,
  Plot,
  StatusMapPlot,
} from "../../../../platform/plots/index.ts";
import { partsIn } from "../suspects.ts";
import { floorLines, gpusOf, type PlottedFigure, spreadLabel, titleOf } from "./plotted-figure.ts";
import { shareAxis } from "./share-axis.ts";

const seriesMax = 4;
/** With fewer a picture says no more than its numbers. */
const gpusForMap = 3;
const figuresForMap = 3;
const gpusForStatus = 4;
const columnsMax = 40;

/** A figure over all GPUs that have it. */
interface Family {
  readonly base: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
  readonly level: number;
  readonly byGpu: ReadonlyMap<number, PlottedFigure>;
}

/** The GPUs of a machine beside each other; none where figures name fewer than two. */
export function gpuPlots(
  figures: readonly PlottedFigure[],
  hardFacts: readonly string[],
): readonly Plot[] {
  const gpus = gpusOf(figures);
  if (gpus.length < 2) return [];
  const families = familiesOf(figures);
  return [
    ...namedMap(gpus, hardFacts),
    ...besideEachOther(gpus, families),
    ...shareAxis(families, seriesMax).map((group) => barsOf(gpus, group)),
  ];
}

function familiesOf(figures: readonly PlottedFigure[]): readonly Family[] {
  const families = new Map<string, PlottedFigure[]>();
  for (const figure of figures) {
    if (figure.gpu === undefined) continue;
    // One of two units, or two directions, is two figures whatever their names say.
    const key = JSON.stringify([figure.base, figure.unit, figure.higherIsBetter]);
    families.set(key, [...(families.get(key) ?? []), figure]);
  }
  return [...families.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { base, unit, higherIsBetter } = first;
    const level = Math.max(...own.map((figure) => figure.level));
    const byGpu = new Map(own.flatMap((one) => (one.gpu === undefined ? [] : [[one.gpu, one]])));
    return [{ base, unit, higherIsBetter, level, byGpu }];
  });
}

const nameOf = (gpu: number) => `GPU ${gpu}`;

function barsOf(gpus: readonly number[], group: readonly Family[]): BarsPlot {
  const [first] = group;
  const members = group.flatMap(({ byGpu }) => [...byGpu.values()]);
  return {
    kind: "bars",
    title: titleOf(
      group.map(({ base }) => base),
      "by GPU",
    ),
    provenance: "measured",
    categories: gpus.map(nameOf),
    y: { label: spreadLabel(first), unit: first?.unit ?? "" },
    series: group.map(({ base, byGpu }) => {
      const spreads = gpus.map((gpu) => byGpu.get(gpu)?.spread);
      return {
        name: base,
        values: spreads.map((spread) => spread?.median ?? null),
        low: spreads.map((spread) => spread?.low ?? null),
        high: spreads.map((spread) => spread?.high ?? null),
      };
    }),
    references: floorLines(members),
  };
}

/** Each GPU as a share of what is usual on its machine: the odd one out is a row that is pale. */
function besideEachOther(
  gpus: readonly number[],
  families: readonly Family[],
): readonly HeatMapPlot[] {
  const compared = families.slice(0, columnsMax);
  if (gpus.length < gpusForMap || compared.length < figuresForMap) return [];
  const shares = compared.map((family) => sharesOf(gpus, family));
  return [
    {
      kind: "heat-map",
      title: "Each GPU beside the others",
      provenance: "measured",
      rowLabel: "GPU",
      columnLabel: "figure",
      rows: gpus.map(nameOf),
      columns: compared.map(({ base }) => base),
      values: gpus.map((_, at) => shares.map((share) => share[at] ?? null)),
      valueLabel: "Share of what is usual on this machine (less is worse)",
      unit: "%",
      merge: "min",
      areaHeightPx: Math.max(80, Math.min(480, gpus.length * 26)),
    },
  ];
}

function sharesOf(
  gpus: readonly number[],
  { byGpu, higherIsBetter }: Family,
): readonly (number | null)[] {
  const medians = gpus.map((gpu) => byGpu.get(gpu)?.spread?.median ?? null);
  const known = medians.filter((value) => value !== null).toSorted((a, b) => a - b);
  const usual = known[Math.floor((known.length - 1) / 2)] ?? 0;
  return medians.map((value) => {
    if (value === null || value <= 0 || usual <= 0) return null;
    return 100 * (higherIsBetter ? value / usual : usual / value);
  });
}

/** Which GPUs were blamed. That a GPU was not is no proof that it is good, so it is grey. */
function namedMap(gpus: readonly number[], hardFacts: readonly string[]): readonly StatusMapPlot[] {
  const blamed = new Set(
    hardFacts.flatMap((sentence) => partsIn(sentence)).map(({ name }) => name),
  );
  const isBlamed = (gpu: number) => blamed.has(nameOf(gpu));
  if (gpus.length < gpusForStatus || !gpus.some(isBlamed)) return [];
  return [
    {
      kind: "status-map",
      title: "GPUs that hard facts name",
      provenance: "measured",
      cellLabel: "GPU",
      rowLabel: "",
      labels: { suspect: "named", skipped: "not named" },
      rows: [
        {
          name: `GPU ${gpus[0]} to ${gpus.at(-1)}`,
          cells: gpus.map((gpu) => ({
            name: nameOf(gpu),
            status: isBlamed(gpu) ? "suspect" : "skipped",
          })),
        },
      ],
    },
  ];
}
