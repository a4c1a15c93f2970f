import type { FleetResult, FleetTimeUse } from "../../../chaos/sim/fleet/index.ts";
import {
  assemble,
  type FleetScenario,
  type FleetStudy,
  type RunBand,
} from "../../../chaos/sim/fleet/study/index.ts";
import { formatQuantity } from "../../../platform/plots/index.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";

export const useNames: Readonly<Record<FleetTimeUse, string>> = {
  productive: "effective at full pace",
  slow: "slow steps",
  save: "saves",
  wasted: "work that was lost",
  detect: "until a failure is noticed",
  restart: "restarts",
  wait: "waiting for nodes",
  planned: "planned restarts",
};

export function durationUs(timeUs: number | null): string {
  return timeUs === null ? "none" : formatDurationMs(Math.round(timeUs / 1000));
}

export function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

export function bandText({ mean, low, high }: RunBand): string {
  return `${mean.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
}

export function jobText(scenario: FleetScenario): string {
  const { job } = assemble(scenario);
  const gpus = formatQuantity(job.nodes * job.devicesPerNode, "");
  const spares = formatQuantity(job.spareNodes, "");
  return `${gpus} GPUs in ${formatQuantity(job.nodes, "")} nodes, ${spares} spare nodes, ${job.policy}`;
}

export function savesText(scenario: FleetScenario): string {
  const { checkpoint, stepUs } = assemble(scenario).job;
  const everyUs = checkpoint.everySteps * stepUs;
  const best = scenario.inputs.intervalS === null ? ", the best by the exact form (modelled)" : "";
  return `every ${durationUs(everyUs)} of computing${best}; each stops the job for ${durationUs(checkpoint.blockingUs)}`;
}

/** What was published beside what came out; null: nothing to compare with. */
export function publishedText({ scenario, ettr }: FleetStudy): string | null {
  const { published } = scenario;
  if (published === null) return null;
  const off = ettr.mean - published.value;
  return `${published.value} ${published.unit}: ${published.note} (${published.citation}); simulated ${off < 0 ? "-" : "+"}${Math.abs(off).toFixed(3)}`;
}

/** Inputs that nobody published, in the words of the scenario. */
export function assumptionsOf({ inputs }: FleetScenario): readonly string[] {
  const assumed = Object.entries(inputs)
    .filter(([, input]) => input?.citation === "assumption")
    .map(([name, input]) => `${name} = ${input?.value} ${input?.unit}: ${input?.note}`);
  const interval = inputs.intervalS === null ? ["the interval between saves: the best one"] : [];
  return [...interval, ...assumed];
}

export function meanOf(study: FleetStudy, valueOf: (run: FleetResult) => number): number {
  const { runs } = study;
  return runs.reduce((sum, run) => sum + valueOf(run), 0) / runs.length;
}

/** Failures by cause, of all runs together, the most frequent first. */
export function causesOf({ runs }: FleetStudy): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { causes } of runs) {
    for (const { name, failures } of causes) counts.set(name, (counts.get(name) ?? 0) + failures);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
