import { type ResourceType, resourceTypes } from "../../../../platform/kube/index.ts";
import type { PodSpec } from "../objects.ts";
import { isList } from "./hydrate.ts";
import type { ParsedTemplate } from "./parse-template.ts";
import type { Json } from "./placeholders.ts";

export const volcanoJobs: ResourceType = {
  group: "batch.volcano.sh",
  version: "v1alpha1",
  plural: "jobs",
  kind: "Job",
  namespaced: true,
};

/** Which kind of job a template makes, and where in it the pod is. */
export interface JobShape {
  readonly type: ResourceType;
  readonly podPath: readonly (string | number)[];
}

const shapes: Readonly<Record<string, JobShape>> = {
  "batch/v1": { type: resourceTypes.jobs, podPath: ["spec", "template"] },
  "batch.volcano.sh/v1alpha1": { type: volcanoJobs, podPath: ["spec", "tasks", 0, "template"] },
};

/** The kind of job a template makes. @throws E_TEMPLATE_INVALID when it makes none. */
export function shapeOf({ tree, error }: ParsedTemplate): JobShape {
  const { apiVersion, kind } = tree;
  const known = typeof apiVersion === "string" && Object.hasOwn(shapes, apiVersion);
  const shape = known ? shapes[apiVersion] : undefined;
  if (shape === undefined || kind !== "Job") {
    const got = `${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)}`;
    const wrong = shape === undefined ? "apiVersion" : "kind";
    throw error([wrong], `it makes a ${got}, not a Job of ${Object.keys(shapes).join(" or ")}`);
  }
  return shape;
}

/** The value at a path of a plain tree. */
export function at(tree: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let value: Json | undefined = tree;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = isList(value)
      ? value[Number(step)]
      : Object.hasOwn(value, step)
        ? value[step]
        : undefined;
  }
  return value;
}

export interface ShapeCheck {
  readonly template: ParsedTemplate;
  readonly shape: JobShape;
  /** The template with the values of some run in it. */
  readonly job: Json;
  readonly jobName: string;
  readonly node: string;
  readonly namespace: string;
}

/**
 * Looks whether the job would be what the loop counts on: one pod, on this node, once, with what it
 * must know.
 *
 * @throws TesseraError E_TEMPLATE_INVALID for the first thing that is not so.
 */
export function checkShape(check: ShapeCheck): void {
  const { template, shape, job } = check;
  const demand = (holds: boolean, path: readonly (string | number)[], problem: string) => {
    if (!holds) throw template.error(path, problem);
  };
  const value = (...path: readonly (string | number)[]) => at(job, path);
  const isOne = (found: Json | undefined) => found === undefined || found === 1;

  demand(value("metadata", "name") === check.jobName, ["metadata", "name"], "must be {{jobName}}");
  const namespace = value("metadata", "namespace");
  const here = namespace === undefined || namespace === check.namespace;
  demand(here, ["metadata", "namespace"], `must be ${check.namespace}, where jobs are looked for`);
  if (shape.type === volcanoJobs) {
    const tasks = value("spec", "tasks");
    const single = isList(tasks) && tasks.length === 1;
    demand(single, ["spec", "tasks"], "must be one task");
    const replicas = ["spec", "tasks", 0, "replicas"];
    demand(isOne(value(...replicas)), replicas, "must be 1: one pod on a node");
    const retries = ["spec", "maxRetry"];
    demand(value(...retries) === 1, retries, "must be 1, which is no retry (Volcano makes 0 a 3)");
    const restarts = JSON.stringify([value("spec", "policies"), tasks]).includes(
      '"action":"Restart',
    );
    demand(!restarts, ["spec", "policies"], "must restart nothing: a run happens once");
  } else {
    demand(value("spec", "backoffLimit") === 0, ["spec", "backoffLimit"], "must be 0: no retry");
    for (const key of ["parallelism", "completions"]) {
      demand(isOne(value("spec", key)), ["spec", key], "must be 1: one pod on a node");
    }
    for (const key of ["selector", "manualSelector"]) {
      const problem = "must be left out: Kubernetes makes the selector of a job's pods";
      demand(value("spec", key) === undefined, ["spec", key], problem);
    }
  }
  checkPod(check, demand);
}

function checkPod(
  { shape, job, node }: ShapeCheck,
  demand: (holds: boolean, path: readonly (string | number)[], problem: string) => void,
): void {
  const path = [...shape.podPath, "spec"];
  const found = at(job, path);
  const isSpec = typeof found === "object" && found !== null && !isList(found);
  demand(isSpec, path, "there must be the specification of a pod");
  const spec = found as PodSpec;
  const never = spec.restartPolicy === "Never";
  demand(never, [...path, "restartPolicy"], "must be Never: a run happens once");
  const problem = "must be left out: it goes past the scheduler; bind the pod by affinity";
  demand(spec.nodeName === undefined, [...path, "nodeName"], problem);
  const bound = `the pod must be bound to {{node}}: by nodeSelector kubernetes.io/hostname, or by required node affinity with matchFields metadata.name in every term`;
  demand(isBound(spec, node), [...path, "affinity"], bound);
  const containers = at(job, [...path, "containers"]);
  demand(isList(containers) && containers.length > 0, [...path, "containers"], "there must be one");
  const told = JSON.stringify(containers ?? []).includes('"name":"TESSERA_RUN_ID"');
  demand(told, [...path, "containers"], "a container must have {{env}} as an item of its `env`");
}

function isBound(spec: PodSpec, node: string): boolean {
  if (spec.nodeSelector?.["kubernetes.io/hostname"] === node) return true;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  const binds = ({ matchFields = [] }: (typeof terms)[number]) =>
    matchFields.some(
      ({ key, operator, values = [] }) =>
        key === "metadata.name" && operator === "In" && values.length === 1 && values[0] === node,
    );
  return terms.length > 0 && terms.every(binds);
}
