import type { Config } from "../../platform/config/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Provenance } from "../../platform/words.ts";
import type { History } from "../history/index.ts";
import { type ClusterEntry, clusterEntry, resolveValidationSettings } from "../resolve-settings.ts";
import type { ClusterReportData } from "./data.ts";
import { type FleetSnapshot, loadFleetSnapshot } from "./fleet-snapshot.ts";
import { readReportData } from "./read-report-data.ts";
import { type Moment, windowAt } from "./report-window.ts";

export interface GatherOptions {
  readonly config: Pick<Config, "validation">;
  readonly store: Store;
  readonly history: History;
  /** Undefined for every cluster of the configuration. */
  readonly cluster: string | undefined;
  readonly since: Moment;
  readonly until: Moment | undefined;
  /** This machine's time. */
  readonly nowMs: number;
  /** The longest window. @default ten years */
  readonly spanDaysMax?: number;
  /** More runs than this are not read, all clusters together. @default 50_000 of each cluster */
  readonly runsMax?: number;
  /** Ends the reading early. */
  readonly signal?: AbortSignal;
}

/**
 * Reads what the report is about, one cluster after the other.
 *
 * @throws E_CLUSTER_UNKNOWN, WindowError; the signal's reason when that aborts.
 */
export async function gatherReportData(
  options: GatherOptions,
): Promise<readonly ClusterReportData[]> {
  const { config, cluster } = options;
  const entries =
    cluster === undefined ? config.validation.clusters : [clusterEntry(config, cluster)];
  const all: ClusterReportData[] = [];
  const { runsMax } = options;
  const each = runsMax === undefined ? undefined : Math.ceil(runsMax / entries.length);
  for (const entry of entries) {
    all.push(await gatherCluster(entry, options, each));
  }
  return all;
}

async function gatherCluster(
  entry: ClusterEntry,
  options: GatherOptions,
  runsMax: number | undefined,
): Promise<ClusterReportData> {
  options.signal?.throwIfAborted();
  const { config, store } = options;
  const snapshot = await loadFleetSnapshot(store, entry.name);
  const provenance: Provenance = entry.kind === "simulated" ? "simulated" : "measured";
  refuseMixture(entry, snapshot, provenance);
  // The time of a simulated fleet is its own and stands still while nobody simulates it.
  const nowMs = entry.kind === "simulated" ? (snapshot?.atMs ?? options.nowMs) : options.nowMs;
  const settings = resolveValidationSettings(
    config,
    entry.name,
    snapshot === undefined ? {} : { available: snapshot.checks },
  );
  return await readReportData(options, {
    cluster: entry.name,
    about: snapshot?.about ?? aboutOf(entry),
    provenance,
    ...windowAt(nowMs, options),
    settings,
    nodes: snapshot?.nodes,
    truth: snapshot?.truth,
    runsMax,
    signal: options.signal,
  });
}

/** A name that once belonged to a simulated fleet must not pass its figures off as measured. */
function refuseMixture(
  { name }: ClusterEntry,
  snapshot: FleetSnapshot | undefined,
  provenance: Provenance,
): void {
  if (snapshot === undefined || snapshot.provenance === provenance) return;
  const problem = `the history of cluster ${name} is ${snapshot.provenance}, but the configuration makes it a ${provenance} one; give it another name`;
  throw new TesseraError("E_CONFIG_INVALID", { summary: problem, problems: [problem], count: 1 });
}

const aboutKinds: Readonly<Record<ClusterEntry["kind"], string>> = {
  kubernetes: "Kubernetes",
  slurm: "Slurm",
  local: "this machine",
  simulated: "a made-up fleet",
};

function aboutOf({ kind }: ClusterEntry): string {
  return aboutKinds[kind];
}
