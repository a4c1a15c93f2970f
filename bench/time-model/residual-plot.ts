import { type LineSeries, renderPlot } from "../../src/platform/plots/index.ts";
import type { Row } from "./cross-validate.ts";

/** Model / measured over size for the all-reduce curves of a rack that the model had not seen, as SVG. */
export function residualPlot(rows: readonly Row[]): string {
  const series: LineSeries[] = rows
    .filter(({ curve, isBetween }) => isBetween && curve.op === "all-reduce")
    .filter(({ curve }) => curve.architecture === "sm_100_GB200")
    .map(({ curve, withoutSize }) => ({
      name: `${curve.devices} x ${curve.concurrentGroups}`,
      x: withoutSize.residuals.map(({ bytes }) => bytes),
      y: withoutSize.residuals.map(({ residual }) => 100 * residual),
    }));
  return renderPlot({
    kind: "lines",
    title: "All-reduce on GB200 NVL72: error on group sizes left out of the fit",
    x: { label: "Size", unit: "B", scale: "log" },
    y: { label: "Modelled against measured", unit: "%", include: [-20, 20] },
    bands: [{ axis: "y", from: -5, to: 5, label: "5 %" }],
    series,
  });
}
