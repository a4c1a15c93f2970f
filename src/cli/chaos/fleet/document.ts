import { parametersOf } from "../../../chaos/failure-model/index.ts";
import { assemble, type FleetStudy } from "../../../chaos/sim/fleet/study/index.ts";

const secondUs = 1e6;

/** The study for programs. Times in seconds. */
export function fleetDocument({ scenario, runs, ettr, goodput, seed }: FleetStudy) {
  const { model, job } = assemble(scenario);
  return {
    source: "simulated",
    preset: scenario.name,
    seed,
    gpus: job.nodes * job.devicesPerNode,
    nodes: job.nodes,
    days: scenario.inputs.days.value,
    policy: scenario.policy,
    ettr,
    goodput,
    published: scenario.published,
    checkpointIntervalS: (job.checkpoint.everySteps * job.stepUs) / secondUs,
    checkpointsKept: job.checkpoint.keep,
    runs: runs.map(({ recovery, ettrOverTime, wallUs, mtbfUs, ...run }) => ({
      ...run,
      wallS: wallUs / secondUs,
      mtbfS: inSeconds(mtbfUs),
      recovery: {
        count: recovery.count,
        open: recovery.open,
        meanS: inSeconds(recovery.meanUs),
        medianS: inSeconds(recovery.medianUs),
        p95S: inSeconds(recovery.p95Us),
        maxS: inSeconds(recovery.maxUs),
        edgesS: recovery.edgesUs.map((edgeUs) => edgeUs / secondUs),
        counts: recovery.counts,
      },
      ettrOverTime: { windowS: ettrOverTime.windowUs / secondUs, ettr: ettrOverTime.ettr },
    })),
    inputs: scenario.inputs,
    changes: scenario.changes,
    model: {
      name: model.name,
      version: model.version,
      parameters: Object.fromEntries(
        parametersOf(model).map(({ name, ...parameter }) => [name, parameter]),
      ),
      causes: model.causes,
    },
  };
}

function inSeconds(timeUs: number | null): number | null {
  return timeUs === null ? null : timeUs / secondUs;
}
