import { Fleet } from "../../../../../src/validation/clusters/kubernetes/discovery/fleet.ts";
import { needsOfTemplate } from "../../../../../src/validation/clusters/kubernetes/discovery/needs-of-template.ts";
import { projectNode } from "../../../../../src/validation/clusters/kubernetes/discovery/project-node.ts";
import { podProjection } from "../../../../../src/validation/clusters/kubernetes/discovery/project-pod.ts";
import { projectJob } from "../../../../../src/validation/clusters/kubernetes/jobs/project-job.ts";
import type {
  JobObject,
  NodeObject,
  PodObject,
} from "../../../../../src/validation/clusters/kubernetes/objects.ts";
import {
  type KubernetesSettings,
  resolveKubernetesSettings,
} from "../../../../../src/validation/clusters/kubernetes/settings.ts";
import { compileTemplate } from "../../../../../src/validation/clusters/kubernetes/template/job-template.ts";

export const ready = { type: "Ready", status: "True" };

/** A node that nothing is wrong with, with changes. */
export function node(change: {
  readonly metadata?: NodeObject["metadata"];
  readonly spec?: NodeObject["spec"];
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly conditions?: NonNullable<NodeObject["status"]>["conditions"];
}): NodeObject {
  return {
    metadata: { name: "gpu-1", uid: "u1", ...change.metadata },
    spec: change.spec ?? {},
    status: {
      allocatable: {
        cpu: "64",
        memory: "512Gi",
        pods: "110",
        "nvidia.com/gpu": "8",
        ...change.allocatable,
      },
      conditions: change.conditions ?? [ready],
    },
  };
}

export function pod(change: {
  readonly requests?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly phase?: string;
  readonly spec?: PodObject["spec"];
  readonly metadata?: PodObject["metadata"];
}): PodObject {
  return {
    metadata: {
      name: "p",
      namespace: "ml",
      ...(change.labels === undefined ? {} : { labels: change.labels }),
      ...change.metadata,
    },
    spec: {
      nodeName: "gpu-1",
      containers: [{ resources: { requests: change.requests ?? {} } }],
      ...change.spec,
    },
    status: { phase: change.phase ?? "Running" },
  };
}

/** One node with pods and jobs, seen through settings. */
export function see(
  of: NodeObject,
  pods: readonly PodObject[] = [],
  more: Partial<KubernetesSettings> = {},
  jobs: readonly JobObject[] = [],
) {
  const settings = resolveKubernetesSettings({ image: "x", ...more }, { namespace: "tessera" });
  const requirements = needsOfTemplate(compileTemplate(settings, { cluster: "prod" }), settings);
  const { needs, relevant, labelKeys } = requirements;
  const fleet = new Fleet({ needs, partial: false });
  const project = podProjection({
    cluster: "prod",
    relevant,
    isGpu: needs.isGpu,
    crashSigns: true,
  });
  fleet.setNode(
    "gpu-1",
    projectNode(of, {
      skuLabels: settings.skuLabels,
      rackLabels: settings.rackLabels,
      labelKeys,
      relevant,
    }),
  );
  for (const [at, one] of pods.entries()) fleet.setPod(`ml/p${at}`, project(one), undefined);
  for (const one of jobs) fleet.setJob(`tessera/${one.metadata.name}`, projectJob(one));
  const [seen] = fleet.nodes();
  return { ...seen, why: seen?.notFree.map(({ code, text }) => `${code}: ${text}`) };
}
