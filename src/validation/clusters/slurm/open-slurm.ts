import { userInfo } from "node:os";
import { TesseraError } from "../../../platform/errors/index.ts";
import { createSlurmClient, expandHostlist } from "../../../platform/slurm/index.ts";
import {
  type ClusterEntry,
  resolveClusterPlaces,
  resolveValidationSettings,
} from "../../resolve-settings.ts";
import type { OpenClusterDeps, OpenedCluster } from "../open-cluster.ts";
import { storeId } from "./names.ts";
import type { SlurmSettings } from "./settings.ts";
import { createSlurmCluster } from "./slurm-cluster.ts";

type SlurmEntry = ClusterEntry & { readonly kind: "slurm" };

/**
 * Makes the cluster of an entry of kind `slurm`.
 *
 * @throws E_CONFIG_INVALID when nothing says which program jobs start.
 */
export function openSlurm(entry: SlurmEntry, deps: OpenClusterDeps): OpenedCluster {
  const { config, env, clock, log } = deps;
  const settings = slurmSettings(entry, deps);
  const conf = entry.conf ?? config.slurm.conf;
  const client = createSlurmClient({ bin: entry.bin ?? config.slurm.bin, conf, env, clock });
  const { username: user } = userInfo();
  const { name } = entry;
  const store = storeId(deps.secret);
  const cluster = createSlurmCluster({ name, client, user, store, clock, log, settings, env });
  const { partition } = settings;
  return {
    cluster,
    about: partition === undefined ? "Slurm" : `Slurm, partition ${partition}`,
    speed: 1,
    truth: undefined,
    connect: undefined,
    close: () => cluster.stop(),
  };
}

/** What an entry says, else what the section says; what neither says stays open. */
function slurmSettings(entry: SlurmEntry, { config }: OpenClusterDeps): SlurmSettings {
  const shared = config.slurm;
  const validation = resolveValidationSettings(config, entry.name);
  const { checks, runTimeoutMs, resultGraceMs } = validation;
  const program = entry.program ?? shared.program;
  if (program === undefined) {
    const problem = `cluster ${entry.name}: slurm.program must say where compute nodes find tessera`;
    throw new TesseraError("E_CONFIG_INVALID", { summary: problem, problems: [problem], count: 1 });
  }
  const partition = entry.partition ?? shared.partition;
  const account = entry.account ?? shared.account;
  const qos = entry.qos ?? shared.qos;
  return {
    checks: checks.map(({ name }) => name),
    program,
    resultDir: resolveClusterPlaces(config, entry.name).resultsDir,
    runTimeoutMs,
    graceMs: resultGraceMs,
    actMode: validation.act.mode,
    excludedNodes: (entry.excludedNodes ?? []).flatMap(expandHostlist),
    ...(partition === undefined ? {} : { partition }),
    ...(account === undefined ? {} : { account }),
    ...(qos === undefined ? {} : { qos }),
    ...(entry.partitions === undefined ? {} : { partitions: entry.partitions }),
    ...(entry.features === undefined ? {} : { features: entry.features }),
    ...(entry.gres === undefined ? {} : { gres: entry.gres }),
    ...(entry.rackFeature === undefined ? {} : { rackFeature: entry.rackFeature }),
    ...(entry.nice === undefined ? {} : { nice: entry.nice }),
    ...(entry.lookEvery === undefined ? {} : { lookEveryMs: entry.lookEvery }),
    ...(entry.nodeComments === undefined ? {} : { nodeComments: entry.nodeComments }),
  };
}
