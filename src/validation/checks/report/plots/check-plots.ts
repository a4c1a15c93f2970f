import type { Plot } from "../../../../platform/plots/index.ts";
import type { RunResult } from "../../../run.ts";
import type { FloorSubject } from "../figures.ts";
import { factPlots } from "./fact-plots.ts";
import { gpuPlots } from "./gpu-plots.ts";
import { plottedFigures } from "./plotted-figure.ts";
import { samplePlots } from "./sample-plots.ts";

const plotsMax = 16;

/** What of a result is worth looking at, by the form it has and not by the check it comes from. */
export function checkPlots(
  { figures, hardFacts, facts }: Pick<RunResult, "figures" | "hardFacts" | "facts">,
  subject: FloorSubject,
): {
  readonly plots: readonly Plot[] /** How many there was no room for. */;
  readonly left: number;
} {
  const plotted = plottedFigures(figures, subject);
  const plots = [...gpuPlots(plotted, hardFacts), ...factPlots(facts), ...samplePlots(plotted)];
  return { plots: plots.slice(0, plotsMax), left: Math.max(0, plots.length - plotsMax) };
}
