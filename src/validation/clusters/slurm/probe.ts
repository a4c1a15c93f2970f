import { userInfo } from "node:os";
import type { Finding, Probe, ProbeContext } from "../../../platform/doctor/finding.ts";
import { toTesseraError } from "../../../platform/errors/index.ts";
import {
  createSlurmClient,
  type SlurmClient,
  type SlurmPartition,
  type SlurmQos,
} from "../../../platform/slurm/index.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import { gpusIn } from "./discovery/gpus.ts";
import { whyPartitionStays, whyQosStays } from "./giving-way.ts";
import { type PreemptionDelay, preemptionDelay } from "./preemption-delay.ts";
import { partitionOf } from "./snapshot.ts";

/** The part of the configuration that says which cluster. */
export interface SlurmProbeOptions {
  readonly bin?: string | undefined;
  readonly conf?: string | undefined;
  readonly partition?: string | undefined;
  readonly qos?: string | undefined;
}

/** The doctor does not wait for controllers that take their time. */
const timeoutMs = 8_000;

/** The doctor's question about Slurm: found, reachable, which release, do our jobs give way? */
export function slurmProbe(
  options: SlurmProbeOptions = {},
  connect: (context: ProbeContext) => SlurmClient = ({ env, clock }) =>
    createSlurmClient({ bin: options.bin, conf: options.conf, env, clock, timeoutMs }),
): Probe {
  return {
    id: "slurm",
    title: "Slurm",
    required: false,
    neededFor: "validating and breaking the nodes of a Slurm cluster",
    find: async (context) => {
      try {
        return await examine(connect(context), options, context.signal);
      } catch (error) {
        return failure(error);
      }
    },
  };
}

async function examine(
  client: SlurmClient,
  options: SlurmProbeOptions,
  signal: AbortSignal,
): Promise<Finding> {
  const release = await client.release({ signal });
  const settings = await client.settings({ signal });
  const partitions = await client.partitions({ signal });
  const nodes = await client.nodes({ signal });
  const gpus = nodes.reduce((sum, { gres }) => sum + gpusIn(gres, "gpu"), 0);
  const { partition: wanted } = options;
  const partition = partitionOf(partitions, wanted);
  const evidence = {
    release: release.text,
    cluster: settings["clustername"] ?? "not told",
    nodes: nodes.length,
    gpus,
    partition: partition?.name ?? "none",
    preemption: settings["preempttype"] ?? "not told",
    preemptMode: partition?.preemptMode ?? "not told",
    mayDrain: mayDrain(settings),
  };
  const reached = `Slurm ${release.text} answers, ${nodes.length} nodes with ${gpus} GPUs`;
  if (partition === undefined) {
    const which = wanted === undefined ? "no default partition" : `no partition ${wanted}`;
    const hint = "Set `slurm.partition` to one that `sinfo` lists.";
    return { state: "limited", reason: `${reached}, but it has ${which}.`, hint, evidence };
  }
  const asked = { client, options, settings, partitions, partition, signal };
  const { stays, qos } = await howJobsStay(asked);
  const delay = preemptionDelay({ settings, partition, qos });
  const told = { ...evidence, ...delayEvidence(delay) };
  const jobs = `jobs in partition ${partition.name}`;
  if (stays !== undefined) {
    return {
      state: "limited",
      reason: `${reached}, but ${jobs} do not give way: ${stays}.`,
      hint: "Users may wait for a check to end. docs/slurm.md shows a partition that is preempted.",
      evidence: told,
    };
  }
  if (delay.exemptMs > 0) {
    const first = formatDurationMs(delay.exemptMs);
    return {
      state: "limited",
      reason: `${reached}, but ${jobs} give way to users' only when they have run for ${first}.`,
      hint: "Users may wait that long: set PreemptExemptTime to 0, for the cluster or for a QOS of our jobs.",
      evidence: told,
    };
  }
  return { state: "works", reason: `${reached}; ${jobs} give way to users'.`, evidence: told };
}

/** Why users' jobs would wait for ours, undefined when they would not; and the QOS of ours where it counts. */
async function howJobsStay(given: {
  readonly client: SlurmClient;
  readonly options: SlurmProbeOptions;
  readonly settings: Readonly<Record<string, string>>;
  readonly partitions: readonly SlurmPartition[];
  readonly partition: SlurmPartition;
  readonly signal: AbortSignal;
}): Promise<{ readonly stays: string | undefined; readonly qos?: SlurmQos | undefined }> {
  const { client, settings, partition, partitions, signal } = given;
  const { qos: name } = given.options;
  const byQos = (settings["preempttype"] ?? "").endsWith("/qos");
  if (name === undefined) {
    const stays = byQos
      ? "preemption goes by QOS, and `slurm.qos` is not set"
      : whyPartitionStays(partition, partitions, settings);
    return { stays };
  }
  let all: readonly SlurmQos[];
  try {
    all = await client.qos({ signal });
  } catch (error) {
    const problem = toTesseraError(error).message.replace(/\.$/, "");
    const stays = byQos
      ? `preemption goes by QOS, and which one gives way is not known (${problem})`
      : (whyPartitionStays(partition, partitions, settings) ??
        `how long QOS ${name} exempts them is not known (${problem})`);
    return { stays };
  }
  const stays = byQos
    ? whyQosStays(name, all, settings)
    : whyPartitionStays(partition, partitions, settings);
  return { stays, qos: all.find((one) => one.name === name) };
}

/** What docs/slurm.md adds up to the longest delay of a user's job. */
function delayEvidence(delay: PreemptionDelay): Readonly<Record<string, string>> {
  const { exemptMs, graceMs, graceLookMs, killWaitMs, schedulerTurnMs } = delay;
  const longestMs = exemptMs + graceMs + graceLookMs + killWaitMs + schedulerTurnMs;
  return {
    preemptExemptTime: formatDurationMs(exemptMs),
    graceTime: formatDurationMs(graceMs),
    killWait: formatDurationMs(killWaitMs),
    longestDelay: formatDurationMs(longestMs),
  };
}

/** Only for those who may do everything is it known without trying. */
function mayDrain(settings: Readonly<Record<string, string>>): string {
  const { uid, username } = userInfo();
  const [slurmUser] = (settings["slurmuser"] ?? "").split("(");
  return uid === 0 || username === slurmUser ? "yes" : "not told";
}

function failure(thrown: unknown): Finding {
  const { code, message, hint } = toTesseraError(thrown);
  const state = code === "E_SLURM_MISSING" ? "missing" : "unknown";
  return { state, reason: message, hint, evidence: { code } };
}
