import type { Cause } from "./cause.ts";
import type { Parameter } from "./parameter.ts";

/** How machines, networks and programs of a fleet fail. Plain data; every number has its source. */
export interface FailureModel {
  readonly format: "tessera-failure-model/1";
  readonly name: string;
  /** Of this table of numbers: a changed number is a new version. */
  readonly version: number;
  readonly title: string;
  /** Counts by cause; those of scope `job` do not grow with the number of nodes. */
  readonly causes: readonly Cause[];
  readonly hardware: {
    /** What stops a job, of all nodes of the table together. */
    readonly perThousandNodeDays: Parameter;
    /** Of the Weibull times between incidents of a node; 1 has no memory. */
    readonly shape: Parameter;
  };
  readonly lemons: {
    readonly share: Parameter;
    /** Their rate over that of the others. */
    readonly multiplier: Parameter;
    /** A node's rate is multiplied by this after each of its incidents… */
    readonly growth: Parameter;
    /** …so often at most. */
    readonly growthIncidents: Parameter;
  };
  readonly together: {
    /** Of device failures that hit more devices of the same tray. */
    readonly tray: Parameter;
    /** Of a link between a node and its switch. */
    readonly linkPerMonth: Parameter;
    readonly torPerMonth: Parameter;
    readonly linksPerNode: Parameter;
    readonly nodesPerTor: Parameter;
    /** Of node failures that take all of the rack. */
    readonly rack: Parameter;
    readonly nodesPerRack: Parameter;
    /** Of node failures that take all racks on one feed. */
    readonly power: Parameter;
    readonly racksPerPower: Parameter;
  };
  readonly stragglers: {
    readonly perThousandNodeDays: Parameter;
    readonly slowdownMin: Parameter;
    readonly slowdownMax: Parameter;
    /** Of them because of the network; the rest because of the device. */
    readonly communicationShare: Parameter;
    readonly computeMeanMinutes: Parameter;
    readonly communicationMeanHours: Parameter;
  };
  readonly sdc: {
    readonly defectiveShare: Parameter;
    /** Wrong results for each operation of a defective device: log-uniform between the two. */
    readonly perOperationMin: Parameter;
    readonly perOperationMax: Parameter;
    readonly notANumberShare: Parameter;
    readonly noticedAfterMinutes: Parameter;
  };
  readonly software: {
    readonly perJobDay: Parameter;
    /** Of the Weibull times between them; below 1 they come early and in bursts. */
    readonly shape: Parameter;
    /** Stops that somebody planned: the job saves first. */
    readonly plannedPerJobDay: Parameter;
  };
  readonly repair: {
    /** Of incidents after which the node is taken out; the others are over with a restart. */
    readonly drainShare: Parameter;
    readonly medianMinutes: Parameter;
    readonly meanMinutes: Parameter;
  };
}

/** Changes of single values, by dotted name: `lemons.share`. */
export type ModelChanges = Readonly<Record<string, number>>;
