import { isDeepStrictEqual } from "node:util";
import { writeFileAtomic } from "../../src/platform/files/index.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { architectures } from "./architectures.ts";
import { crossValidate, type Row } from "./cross-validate.ts";
import { type Curve, curvesVariable, readCurves } from "./curves.ts";
import { errorTable, meanColumn } from "./error-table.ts";
import { residualPlot } from "./residual-plot.ts";

/** The environment variable that names a file for the plot of the errors. */
const plotVariable = "TESSERA_TIME_MODEL_PLOT";

export const bench: Bench = {
  name: "time-model/errors",
  description:
    "The time model of collectives against measured curves, fitted and left out by group size and by architecture, beside plain interpolation of the same table.",
  requires: () => {
    const missing = `${curvesVariable} does not name the file of measured curves`;
    return Promise.resolve(process.env[curvesVariable] === undefined ? missing : undefined);
  },
  run: async ({ log }) => {
    const curves = await readCurves(process.env[curvesVariable] ?? "");
    const rows = crossValidate(curves);
    for (const line of errorTable(rows).split("\n")) log(line);
    const plotFile = process.env[plotVariable];
    if (plotFile !== undefined) await writeFileAtomic(plotFile, residualPlot(rows));
    return {
      metrics: [...metricsOf(rows), stale(curves)],
      notes: [
        `${curves.length} curves; mean of |model / measured - 1| over the sizes from 64 KiB up, then over curves`,
        "between: group sizes with measured groups on both sides",
      ],
    };
  },
};

function metricsOf(rows: readonly Row[]): readonly BenchMetric[] {
  const rack = rows.filter(({ curve }) => curve.architecture === "sm_100_GB200");
  const boards = rows.filter((row) => !rack.includes(row));
  const between = rack.filter(({ isBetween }) => isBetween);
  const left = meanColumn(between, (row) => row.withoutSize);
  const interpolated = meanColumn(between, (row) => row.interpolated);
  return [
    percent(
      "rack, fitted",
      meanColumn(rack, (row) => row.fitted),
      4,
    ),
    percent("rack, group size between left out", left, 5),
    percent("rack, the same by interpolation", interpolated),
    ratio("left out to interpolated", left / interpolated, 0.8),
    percent(
      "boards, fitted",
      meanColumn(boards, (row) => row.fitted),
    ),
    percent(
      "architecture left out",
      meanColumn(rows, (row) => row.withoutArchitecture),
    ),
  ];
}

/** Architectures whose constants in the source tree are not those of this fit. */
function stale(curves: readonly Curve[]): BenchMetric {
  const value = architectures.filter(({ name, fit, shipped }) => {
    const own = curves.filter(({ architecture }) => architecture === name);
    return !isDeepStrictEqual(fit(own), shipped);
  }).length;
  return {
    name: "stale constants",
    value,
    unit: "",
    provenance: "measured",
    better: "lower",
    limit: 0,
  };
}

function percent(name: string, share: number, limit?: number): BenchMetric {
  const promise = limit === undefined ? {} : { limit };
  return {
    name: `mean error: ${name}`,
    value: 100 * share,
    unit: "%",
    provenance: "modelled",
    better: "lower",
    ...promise,
  };
}

function ratio(name: string, value: number, limit: number): BenchMetric {
  return { name, value, unit: "x", provenance: "modelled", better: "lower", limit };
}
