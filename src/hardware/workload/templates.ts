import type { KubeObject } from "../../platform/kube/index.ts";
import type { WorkloadRef } from "../objects/index.ts";
import { asksForGpus } from "./gpu-resources.ts";
import { type Fields, isFields, pointerTo, valueAt } from "./json-pointer.ts";
import { workloadError } from "./workload-types.ts";

/** One container of a pod template. */
export interface ContainerAt {
  readonly pointer: string;
  readonly container: Fields;
  /** For messages. */
  readonly name: string;
}

/** A pod template of a workload. */
export interface TemplateAt {
  /** Of the pod spec. */
  readonly specPointer: string;
  /** Of the object that has `metadata`; undefined: a bare pod spec, which has none. */
  readonly templatePointer: string | undefined;
  readonly containers: readonly ContainerAt[];
}

/** The containers that the shim goes into, by template. */
export interface ShimTargets {
  readonly templates: readonly TemplateAt[];
  /** False: no container asks for a GPU, and so all are taken. */
  readonly byGpu: boolean;
}

const templatesMax = 256;

const builtInPaths = {
  deployment: ["spec.template"],
  statefulset: ["spec.template"],
  job: ["spec.template"],
  leaderworkerset: [
    "spec.leaderWorkerTemplate.leaderTemplate",
    "spec.leaderWorkerTemplate.workerTemplate",
  ],
} as const;

/**
 * The containers that use GPUs, or all of them when none says so: a controller may ask for them in
 * a field of its own.
 *
 * @throws E_HW_WORKLOAD where there is no pod template
 */
export function shimTargets(object: KubeObject, ref: WorkloadRef): ShimTargets {
  const all = templatesOf(object, ref);
  const withGpus = all.flatMap((template) => {
    const containers = template.containers.filter(({ container }) => asksForGpus(container));
    return containers.length === 0 ? [] : [{ ...template, containers }];
  });
  return withGpus.length > 0
    ? { templates: withGpus, byGpu: true }
    : { templates: all, byGpu: false };
}

/** Every pod template of a workload. */
function templatesOf(object: KubeObject, ref: WorkloadRef): readonly TemplateAt[] {
  const paths = ref.kind === "custom" ? (ref.custom?.templatePaths ?? []) : builtInPaths[ref.kind];
  const pointers = new Set(paths.flatMap((path) => expand(object, path.split("."))));
  if (pointers.size > templatesMax) {
    throw workloadError(ref, `it has more than ${templatesMax} pod templates`);
  }
  const templates = [...pointers].flatMap((pointer) => templateAt(object, pointer) ?? []);
  if (templates.length === 0) {
    throw workloadError(ref, `there is no pod template with containers at ${paths.join(" or ")}`);
  }
  return templates;
}

/** Where a path leads; `*` is every key and every index. */
function expand(object: unknown, names: readonly string[]): readonly string[] {
  let pointers: readonly string[] = [""];
  for (const name of names) {
    pointers = pointers.flatMap((pointer) => {
      const at = valueAt(object, pointer);
      const keys = Array.isArray(at) ? at.map((_, index) => String(index)) : keysOf(at);
      return keys
        .filter((key) => name === "*" || key === name)
        .map((key) => pointerTo(pointer, key));
    });
  }
  return pointers;
}

function keysOf(value: unknown): readonly string[] {
  return isFields(value) ? Object.keys(value) : [];
}

function templateAt(object: unknown, pointer: string): TemplateAt | undefined {
  const inner = pointerTo(pointer, "spec");
  const whole = containersOf(object, inner);
  if (whole.length > 0) {
    return { specPointer: inner, templatePointer: pointer, containers: whole };
  }
  const containers = containersOf(object, pointer);
  if (containers.length === 0) return undefined;
  return { specPointer: pointer, templatePointer: undefined, containers };
}

/** `mainContainer` is the one that a DynamoGraphDeployment keeps beside the list. */
function containersOf(object: unknown, specPointer: string): readonly ContainerAt[] {
  const found: ContainerAt[] = [];
  const main = valueAt(object, pointerTo(specPointer, "mainContainer"));
  if (isFields(main)) {
    found.push({ pointer: pointerTo(specPointer, "mainContainer"), container: main, name: "main" });
  }
  const list = valueAt(object, pointerTo(specPointer, "containers"));
  for (const [index, container] of (Array.isArray(list) ? list : []).entries()) {
    if (!isFields(container)) continue;
    const name = typeof container["name"] === "string" ? container["name"] : `#${index}`;
    found.push({ pointer: pointerTo(specPointer, "containers", index), container, name });
  }
  return found;
}
