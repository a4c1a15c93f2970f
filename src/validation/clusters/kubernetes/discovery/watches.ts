import {
  createReflector,
  type KubeClient,
  type KubeObject,
  type Reflector,
  type ReflectorOptions,
  type ResourceType,
  resourceTypes,
} from "../../../../platform/kube/index.ts";
import type { Clock } from "../../../../platform/time/index.ts";
import { type JobSummary, projectJob, projectVolcanoJob } from "../jobs/project-job.ts";
import { jobSelector, labelValue } from "../labels.ts";
import type { NodeObject, PodObject } from "../objects.ts";
import type { ResolvedKubernetesSettings } from "../settings.ts";
import { volcanoJobs } from "../template/check-shape.ts";
import type { Requirements } from "./needs-of-template.ts";
import { type NodeSummary, projectNode } from "./project-node.ts";
import { type PodSummary, podProjection } from "./project-pod.ts";

export interface WatchesOptions {
  readonly name: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: { float(): number };
  readonly settings: ResolvedKubernetesSettings;
  readonly jobType: ResourceType;
  readonly requirements: Requirements;
  readonly watch?: Pick<ReflectorOptions<KubeObject, unknown>, "idleTimeoutMs" | "backoff">;
  /** Told about every failure; the watches go on by themselves. */
  readonly onFailure: (error: Error) => void;
}

/** Everything that is watched. Nothing else of the cluster is ever listed. */
export interface Watches {
  readonly nodes: Reflector<NodeSummary, NodeObject>;
  /** Of all namespaces: any of them may hold a GPU. */
  readonly pods: Reflector<PodSummary, PodObject>;
  /** Only ours. */
  readonly jobs: Reflector<JobSummary>;
}

/** The watches of a cluster, not started yet. */
export function createWatches(options: WatchesOptions): Watches {
  const { client, clock, random, settings, requirements, jobType, onFailure } = options;
  const common = { client, clock, random, onFailure, ...options.watch };
  const { relevant, labelKeys, needs } = requirements;
  const { skuLabels, rackLabels, nodeSelector, crashSigns } = settings;
  return {
    nodes: createReflector<NodeSummary, NodeObject>({
      ...common,
      type: resourceTypes.nodes,
      ...(nodeSelector === undefined ? {} : { labelSelector: nodeSelector }),
      project: (node) => projectNode(node, { skuLabels, rackLabels, labelKeys, relevant }),
    }),
    pods: createReflector<PodSummary, PodObject>({
      ...common,
      type: resourceTypes.pods,
      project: podProjection({
        cluster: labelValue(options.name),
        relevant,
        isGpu: needs.isGpu,
        crashSigns,
      }),
    }),
    jobs: createReflector<JobSummary>({
      ...common,
      type: jobType,
      namespace: settings.namespace,
      labelSelector: jobSelector(options.name),
      project: jobType === volcanoJobs ? projectVolcanoJob : projectJob,
    }),
  };
}
