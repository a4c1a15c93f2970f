import type { Plot } from "../../../platform/plots/index.ts";
import type { CampaignRun } from "../campaign-part.ts";
import type { CampaignResult } from "../campaign-result.ts";

/** How long recoveries took, what they cost, and which faults were met. */
export function distributionPlots(
  runs: readonly CampaignRun[],
  { coverage }: CampaignResult,
): readonly Plot[] {
  const inside = runs.filter(({ kind, outcome }) => kind === "inside" && outcome === "pass");
  const recoveries = inside.flatMap(({ recoverySeconds }) => recoverySeconds ?? []);
  const goodputs = inside.flatMap(({ goodput }) => goodput ?? []);
  const faults = Object.entries(coverage.faults);
  const plots: Plot[] = [];
  if (recoveries.length > 0) {
    plots.push({
      kind: "histogram",
      title: "From a fault to the next step, runs that recovered",
      provenance: "simulated",
      x: { label: "Time", unit: "s" },
      values: recoveries,
    });
  }
  if (goodputs.length > 0) {
    plots.push({
      kind: "histogram",
      title: "Goodput of runs that recovered",
      provenance: "simulated",
      x: { label: "Share of the run without faults" },
      values: goodputs,
    });
  }
  if (faults.length > 0) {
    plots.push({
      kind: "bars",
      title: "Faults of the campaign",
      provenance: "simulated",
      categories: faults.map(([fault]) => fault),
      y: { label: "Injections" },
      stacked: true,
      series: [
        { name: "with an effect", values: faults.map(([, one]) => one.withEffect) },
        { name: "without", values: faults.map(([, one]) => one.without) },
      ],
    });
  }
  return plots;
}
