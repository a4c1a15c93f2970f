import assert from "node:assert/strict";
import type { KubeObject, ResourceType } from "../../../../platform/kube/index.ts";
import type { JobRequest } from "../../cluster.ts";
import { labelNames, labelValue, managedByUs } from "../labels.ts";
import type { PodSpec } from "../objects.ts";
import type { ResolvedKubernetesSettings } from "../settings.ts";
import { at, checkShape, shapeOf } from "./check-shape.ts";
import { defaultJobTemplate, defaultVolcanoTemplate } from "./default-job.ts";
import { hydrate } from "./hydrate.ts";
import { parseTemplate } from "./parse-template.ts";
import type { Json } from "./placeholders.ts";
import { templateValues, type ValueOptions } from "./template-values.ts";

/** A template that is known to make jobs the loop can work with. */
export interface JobTemplate {
  /** The kind of job it makes. */
  readonly type: ResourceType;
  /** What is allowed but not advisable, one sentence each. */
  readonly warnings: readonly string[];
  /** The job of one run, ready to be created. */
  job(options: Pick<ValueOptions, "request" | "cordoned">): KubeObject;
  /** The pod of a job for a node with so many GPUs. */
  podSpec(options: { readonly node: string; readonly gpus: number }): PodSpec;
  /** Of that pod, only what selects nodes; cheap enough to ask for every node. */
  selectors(node: string): PodSpec;
}

/**
 * Reads and checks the template of the settings, or the default one.
 *
 * @throws TesseraError E_TEMPLATE_INVALID with line, column and what to do.
 */
export function compileTemplate(
  settings: ResolvedKubernetesSettings,
  options: { readonly cluster: string },
): JobTemplate {
  const source = settings.template ?? {
    file: `of ${settings.jobKind} jobs`,
    text: settings.jobKind === "volcano" ? defaultVolcanoTemplate : defaultJobTemplate,
  };
  const template = parseTemplate(source);
  const shape = shapeOf(template);
  const { tree } = template;
  const make = (values: Pick<ValueOptions, "request" | "cordoned">): Json =>
    hydrate(tree, templateValues({ ...values, settings }));
  const sample = sampleRequest({ node: "gpu-0001", gpus: 8 });
  checkShape({
    template,
    shape,
    job: make({ request: sample, cordoned: true }),
    jobName: sample.intent.jobName,
    node: sample.intent.node,
    namespace: settings.namespace,
  });
  const specPath = [...shape.podPath, "spec"];
  const selecting: Json = {
    nodeSelector: at(tree, [...specPath, "nodeSelector"]) ?? {},
    affinity: { nodeAffinity: at(tree, [...specPath, "affinity", "nodeAffinity"]) ?? {} },
  };
  const sampleValues = templateValues({ request: sample, cordoned: false, settings });
  return {
    type: shape.type,
    warnings: warningsAbout(settings),
    job: (values) => stamp(make(values), shape.podPath, values.request, options.cluster),
    podSpec: (where) =>
      at(make({ request: sampleRequest(where), cordoned: false }), specPath) as PodSpec,
    selectors: (node) => hydrate(selecting, { ...sampleValues, node }) as PodSpec,
  };
}

/** What everybody who looks for our jobs goes by is not left to the template. */
function stamp(
  job: Json,
  podPath: readonly (string | number)[],
  { intent }: JobRequest,
  cluster: string,
): KubeObject {
  const labels = {
    [labelNames.managedBy]: managedByUs,
    [labelNames.cluster]: labelValue(cluster),
    [labelNames.runId]: labelValue(intent.id),
    [labelNames.node]: labelValue(intent.node),
    [labelNames.check]: labelValue(intent.check),
  };
  const annotations = { [labelNames.node]: intent.node, [labelNames.check]: intent.check };
  // The tree was made for this job alone: it may be changed.
  const own = job as unknown as Marked;
  const pod = at(job, podPath) as unknown as Marked | undefined;
  assert(pod !== undefined, "a checked template has a pod");
  for (const marked of [own, pod]) {
    marked.metadata = {
      ...marked.metadata,
      labels: { ...marked.metadata?.labels, ...labels },
      annotations: { ...marked.metadata?.annotations, ...annotations },
    };
  }
  return own as KubeObject;
}

interface Marked {
  metadata?: KubeObject["metadata"];
}

function warningsAbout({ image }: ResolvedKubernetesSettings): readonly string[] {
  if (/@sha256:[0-9a-f]{64}$/.test(image)) return [];
  return [
    `The image ${image} is not given by digest: runs of different days may not be comparable.`,
  ];
}

/** A run as good as any, to look at what the template makes of it. */
function sampleRequest(where: { readonly node: string; readonly gpus: number }): JobRequest {
  return {
    intent: {
      id: "0123456789abcdef0123",
      cluster: "sample",
      node: where.node,
      check: "storage-io",
      plannedAtMs: 0,
      jobName: "tsr-storage-io-sample-0123456789",
      purpose: "routine",
      reason: "sample",
      policy: "none",
      sku: "sample",
      rack: "",
      fileSystem: "",
      gpus: where.gpus,
      gpuHours: 0,
      provenance: "measured",
    },
    token: "sample",
    resultUrl: "http://127.0.0.1/",
    runTimeoutMs: 60_000,
    checkOptions: {},
  };
}
