import { userInfo } from "node:os";
import type { Finding, Probe, ProbeContext } from "../../../platform/doctor/finding.ts";
import { toTesseraError } from "../../../platform/errors/index.ts";
import {
  createSlurmClient,
  type SlurmClient,
  type SlurmPartition,
  type SlurmQos,
} from "../../../platform/slurm/index.ts";
import { gpusIn } from "./discovery/gpus.ts";
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
  const stays = (settings["preempttype"] ?? "").endsWith("/qos")
    ? await whyQosStays(client, { qos: options.qos, settings, signal })
    : whyJobsStay(partition, partitions, settings);
  if (stays === undefined) {
    const reason = `${reached}; jobs in partition ${partition.name} give way to users'.`;
    return { state: "works", reason, evidence };
  }
  return {
    state: "limited",
    reason: `${reached}, but jobs in partition ${partition.name} do not give way: ${stays}.`,
    hint: "Users may wait for a check to end. docs/slurm.md shows a partition that is preempted.",
    evidence,
  };
}

/** Why users' jobs would wait for ours; undefined when they would not. */
function whyJobsStay(
  own: SlurmPartition,
  all: readonly SlurmPartition[],
  settings: Readonly<Record<string, string>>,
): string | undefined {
  const type = settings["preempttype"] ?? "";
  if (!type.endsWith("/partition_prio")) return `PreemptType is ${type || "not told"}`;
  const mode = whyModeStays(own.preemptMode);
  if (mode !== undefined) return `its ${mode}`;
  const shared = new Set(own.nodes);
  const above = all.some(
    ({ priorityTier, nodes }) =>
      priorityTier > own.priorityTier && nodes.some((node) => shared.has(node)),
  );
  return above ? undefined : "no partition of the same nodes has a higher PriorityTier";
}

/** The same where it is the QOS that decides: only accounting knows which of them gives way to which. */
async function whyQosStays(
  client: SlurmClient,
  given: {
    readonly qos: string | undefined;
    readonly settings: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  const { qos, settings, signal } = given;
  if (qos === undefined) return "preemption goes by QOS, and `slurm.qos` is not set";
  let all: readonly SlurmQos[];
  try {
    all = await client.qos({ signal });
  } catch (error) {
    const problem = toTesseraError(error).message.replace(/\.$/, "");
    return `preemption goes by QOS, and which one gives way is not known (${problem})`;
  }
  const own = all.find(({ name }) => name === qos);
  if (own === undefined) return `there is no QOS ${qos}`;
  if (!all.some(({ preempts }) => preempts.includes(qos))) return `no QOS preempts ${qos}`;
  const byCluster = own.preemptMode === "" || own.preemptMode === "CLUSTER";
  const mode = whyModeStays(byCluster ? (settings["preemptmode"] ?? "") : own.preemptMode);
  return mode === undefined ? undefined : `the ${mode} for QOS ${qos}`;
}

/** A job that is suspended keeps its memory, on the node and on the GPUs. */
function whyModeStays(mode: string): string | undefined {
  return /\b(?:OFF|SUSPEND)\b/i.test(mode) ? `PreemptMode is ${mode}` : undefined;
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
