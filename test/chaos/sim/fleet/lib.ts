import {
  failureModels,
  type Incident,
  withChanges,
} from "../../../../src/chaos/failure-model/index.ts";
import {
  type FailureFeed,
  type FleetJob,
  listedFeed,
  simulateFleetJob,
} from "../../../../src/chaos/sim/fleet/index.ts";

export const second = 1_000_000;
export const day = 86_400 * second;

/** Four nodes; a step takes a second, every tenth is saved for a second. */
export const smallJob: FleetJob = {
  nodes: 4,
  spareNodes: 0,
  devicesPerNode: 8,
  replicas: 2,
  policy: "spare",
  stepUs: second,
  checkpoint: { everySteps: 10, keep: 3, blockingUs: second, writeUs: second },
  detectUs: { crash: 2 * second, hang: 20 * second },
  restartUs: 5 * second,
  stallUs: second,
  steps: null,
};

export const llama3 = failureModels.llama3;
const causeNamed = (name: string) => llama3.causes.findIndex((cause) => cause.name === name);
export const causes = {
  crash: causeNamed("faulty GPU"),
  hang: causeNamed("NCCL watchdog"),
  silent: causeNamed("silent data corruption"),
};

export function incident(atS: number, node: number, more: Partial<Incident> = {}): Incident {
  return {
    atUs: atS * second,
    node,
    cause: causes.crash,
    extent: "device",
    device: 0,
    devices: 1,
    repairUs: 0,
    ...more,
  };
}

/** What is written down happens to the small job, and nothing else. */
export function happen(
  lists: Parameters<typeof listedFeed>[0],
  more: {
    readonly job?: Partial<FleetJob>;
    readonly seconds?: number;
    readonly feed?: FailureFeed;
  } = {},
) {
  return simulateFleetJob({
    model: withChanges(llama3, { "sdc.noticedAfterMinutes": 0.5 }),
    job: { ...smallJob, ...more.job },
    seed: "listed",
    horizonUs: (more.seconds ?? 110) * second,
    windows: 10,
    feed: more.feed ?? listedFeed(lists),
  });
}

/** Seconds of each use, without those that are none. */
export function secondsOf({
  shares,
  wallUs,
}: {
  readonly shares: Readonly<Record<string, number>>;
  readonly wallUs: number;
}) {
  return Object.fromEntries(
    Object.entries(shares)
      .map(([use, share]) => [use, Math.round((share * wallUs) / 1000) / 1000])
      .filter(([, value]) => value !== 0),
  ) as Record<string, number>;
}
