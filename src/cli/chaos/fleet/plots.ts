import { type FleetTimeUse, fleetTimeUses } from "../../../chaos/sim/fleet/index.ts";
import type { FleetStudy } from "../../../chaos/sim/fleet/study/index.ts";
import type { Plot } from "../../../platform/plots/index.ts";
import { causesOf, durationUs, meanOf, useNames } from "./words.ts";

const dayUs = 86_400e6;
const causesShown = 10;

/** The study in pictures, all of them simulated. */
export function fleetPlots(study: FleetStudy): readonly Plot[] {
  return [ettrOverTime(study), whereTimeGoes(study), causes(study), recoveries(study)];
}

function ettrOverTime({ runs, ettr, scenario }: FleetStudy): Plot {
  const { windowUs, ettr: first } = runs[0].ettrOverTime;
  const at = (index: number) => runs.flatMap(({ ettrOverTime }) => ettrOverTime.ettr[index] ?? []);
  const [mean, low, high] = [average, Math.min, Math.max].map((of) =>
    first.map((_, index) => (at(index).length === 0 ? null : of(...at(index)))),
  );
  const { published } = scenario;
  return {
    kind: "lines",
    title: "Effective training time over time",
    provenance: "simulated",
    x: { label: "Time", unit: "d" },
    y: { label: "ETTR; band: all runs", unit: "", include: [1] },
    series: [
      {
        name: "mean of the runs",
        x: first.map((_, index) => ((index + 0.5) * windowUs) / dayUs),
        y: mean ?? [],
        ...(low === undefined || high === undefined ? {} : { low, high }),
      },
    ],
    references: [
      { axis: "y", value: ettr.mean, label: "mean" },
      ...(published === null
        ? []
        : [{ axis: "y" as const, value: published.value, label: "published" }]),
    ],
  };
}

function average(...values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function whereTimeGoes(study: FleetStudy): Plot {
  const uses = fleetTimeUses.filter((use): use is FleetTimeUse => use !== "productive");
  const values = uses.map((use) => 100 * meanOf(study, ({ shares }) => shares[use]));
  return {
    kind: "bars",
    title: "Time that was not effective at full pace",
    provenance: "simulated",
    categories: uses.map((use) => useNames[use]),
    y: { label: "Share of all time, mean of the runs", unit: "%", include: [0] },
    series: [{ name: "share", values }],
  };
}

function causes(study: FleetStudy): Plot {
  const shown = causesOf(study).slice(0, causesShown);
  return {
    kind: "bars",
    title: "Causes of failures",
    provenance: "simulated",
    categories: shown.length === 0 ? ["none"] : shown.map(([name]) => name),
    y: { label: "Failures a run", unit: "", include: [0] },
    series: [
      {
        name: "failures",
        values: shown.length === 0 ? [0] : shown.map(([, count]) => count / study.runs.length),
      },
    ],
  };
}

function recoveries(study: FleetStudy): Plot {
  const { edgesUs, counts } = study.runs[0].recovery;
  const categories = counts.map((_, index) => {
    const edge = edgesUs[index];
    return edge === undefined ? `longer` : `< ${durationUs(edge)}`;
  });
  return {
    kind: "bars",
    title: "Recovery times",
    description:
      "Bars: how many recoveries of a run lasted up to each time, from the failure to the first step.",
    provenance: "simulated",
    categories,
    y: { label: "Recoveries a run", unit: "", include: [0] },
    series: [
      {
        name: "recoveries",
        values: counts.map((_, index) =>
          meanOf(study, ({ recovery }) => recovery.counts[index] ?? 0),
        ),
      },
    ],
  };
}
