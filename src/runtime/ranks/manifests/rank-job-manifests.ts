import assert from "node:assert/strict";
import { headlessService, indexedJob, rankNetworkPolicy } from "./indexed-job.ts";
import { volcanoJob } from "./volcano-job.ts";

/** A Kubernetes object, ready to be written as YAML or JSON. */
export type Manifest = Readonly<Record<string, unknown>>;

export interface RankJobOptions {
  /** An indexed Job with a headless Service, or a Volcano Job whose plug-ins do the same. */
  readonly kind: "job" | "volcano";
  /** Of every object: lower-case letters, digits and dashes, 40 at most. */
  readonly name: string;
  /** @default "default" */
  readonly namespace?: string;
  /** Ranks; each runs on a node of its own. */
  readonly ranks: number;
  /** Holds Tessera as its entry, as the node image does. */
  readonly image: string;
  /** The rank task, such as `collective`. */
  readonly task: string;
  /** What every rank is told, as JSON. */
  readonly input: unknown;
  /** Known to the ranks of this run alone; goes into a Secret. */
  readonly secret: string;
  /** Where rank 0 listens. @default 29500 */
  readonly port?: number;
  /** GPUs of each rank. @default 0 */
  readonly gpus?: number;
  /** The resource of the device plug-in. @default "nvidia.com/gpu" */
  readonly gpuResource?: string;
  /** Of each rank. @default "1" */
  readonly cpu?: string;
  /** Of each rank. @default "2Gi" */
  readonly memory?: string;
  /** After so long the job has failed. @default 1800 */
  readonly deadlineSeconds?: number;
  /** The user of the processes, never 0. @default 65532, that of the node image */
  readonly userId?: number;
}

/** Options with their defaults. */
export type ResolvedRankJob = Required<RankJobOptions>;

const namePattern = /^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/;

/**
 * The objects that run ranks of a task as pods on as many nodes, in the order to create them. The pods
 * find each other by the names of a headless Service, prove themselves with the run's secret, hold no
 * token of the cluster, run as an ordinary user without any capability, and are reached by each other
 * alone where the network honours policies.
 */
export function rankJobManifests(options: RankJobOptions): readonly Manifest[] {
  assert(namePattern.test(options.name), "a name of lower-case letters, digits and dashes");
  assert(Number.isInteger(options.ranks) && options.ranks >= 1, "one rank or more");
  const job: ResolvedRankJob = {
    namespace: "default",
    port: 29_500,
    gpus: 0,
    gpuResource: "nvidia.com/gpu",
    cpu: "1",
    memory: "2Gi",
    deadlineSeconds: 1800,
    userId: 65_532,
    ...options,
  };
  assert(job.userId > 0, "ranks never run as root");
  const policy = rankNetworkPolicy(job);
  return job.kind === "volcano"
    ? [secretOf(job), policy, volcanoJob(job)]
    : [secretOf(job), policy, headlessService(job), indexedJob(job)];
}

function secretOf({ name, namespace, secret }: ResolvedRankJob): Manifest {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    type: "Opaque",
    stringData: { secret },
  };
}
