import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../../platform/kube/index.ts";
import {
  type FieldUndo,
  marks,
  scopeOf,
  shimPaths,
  shimVariables,
  type WorkloadRef,
} from "../objects/index.ts";
import { affinityField } from "./affinity-field.ts";
import { type Fields, isFields, pointerTo, valueAt } from "./json-pointer.ts";
import { type ContainerAt, shimTargets, type TemplateAt } from "./templates.ts";
import { workloadError } from "./workload-types.ts";

export interface ShimOptions {
  /** The name of the fault, for the marks on the workload and in its template. */
  readonly faultName: string;
  /** Pods prefer this node; what the user prefers stays beside it. @default any */
  readonly preferNode?: string;
}

/** The name of our volume in pods. */
const volumeName = "tessera-cuda-fault";

const library = `${shimPaths.podFolder}/${shimPaths.library}`;

/**
 * What puts the shim into the pods of a workload, without what its roll-out needs. Pure. Fields
 * that are so already are left out, so the second time there are none.
 *
 * @throws E_HW_WORKLOAD where it cannot be put beside what the user has
 */
export function shimFields(
  object: KubeObject,
  ref: WorkloadRef,
  options: ShimOptions,
): readonly FieldUndo[] {
  const at = pointerTo("/metadata/annotations", marks.passthrough);
  const held = valueAt(object, at);
  if (held !== undefined && held !== options.faultName) {
    throw workloadError(ref, `the shim is in already, for the fault ${JSON.stringify(held)}`);
  }
  const fields: readonly (FieldUndo | undefined)[] = [
    fieldAt(object, at, options.faultName),
    ...shimTargets(object, ref).templates.flatMap((template) =>
      templateFields(object, ref, { template, options }),
    ),
  ];
  return fields.filter((field) => field !== undefined);
}

/** A change of one value; undefined: it is so already. */
export function fieldAt(object: unknown, pointer: string, applied: unknown): FieldUndo | undefined {
  const before = valueAt(object, pointer);
  if (isDeepStrictEqual(before, applied)) return undefined;
  return {
    pointer,
    ...(before === undefined ? {} : { before }),
    ...(applied === undefined ? {} : { applied }),
  };
}

function templateFields(
  object: KubeObject,
  ref: WorkloadRef,
  { template, options }: { readonly template: TemplateAt; readonly options: ShimOptions },
): readonly (FieldUndo | undefined)[] {
  const { specPointer, templatePointer, containers } = template;
  const volumes = pointerTo(specPointer, "volumes");
  const { preferNode } = options;
  return [
    ...(templatePointer === undefined
      ? []
      : [
          fieldAt(
            object,
            pointerTo(templatePointer, "metadata", "annotations", marks.passthrough),
            options.faultName,
          ),
        ]),
    ...containers.flatMap((container) => [
      fieldAt(object, pointerTo(container.pointer, "env"), envOf(container, ref)),
      fieldAt(object, pointerTo(container.pointer, "volumeMounts"), mountsOf(container, ref)),
    ]),
    fieldAt(object, volumes, volumesOf(valueAt(object, volumes), ref)),
    preferNode === undefined ? undefined : affinityField(object, specPointer, preferNode),
  ];
}

/** Ours comes first, the user's own libraries behind it. */
function envOf({ container, name }: ContainerAt, ref: WorkloadRef): readonly unknown[] {
  const given = listOf(container["env"]);
  const preload = only(given, shimVariables.preload, { name, ref });
  const theirs = preload?.["value"];
  if (preload !== undefined && theirs === undefined && "valueFrom" in preload) {
    const from = "takes LD_PRELOAD from elsewhere (valueFrom), which cannot be kept behind ours";
    throw workloadError(ref, `the container ${name} ${from}`);
  }
  const text = typeof theirs === "string" ? theirs : "";
  const isIn = text.split(/[:\s]/).includes(library);
  const value = isIn ? text : [library, ...(text === "" ? [] : [text])].join(":");
  only(given, shimVariables.control, { name, ref });
  const { podFolder, scopes, control } = shimPaths;
  const block = `${podFolder}/${scopes}/${scopeOf(ref)}/${control}`;
  return withNamed(withNamed(given, { name: shimVariables.preload, value }), {
    name: shimVariables.control,
    value: block,
  });
}

function mountsOf({ container, name }: ContainerAt, ref: WorkloadRef): readonly unknown[] {
  const given = listOf(container["volumeMounts"]);
  const ours = { name: volumeName, mountPath: shimPaths.podFolder, readOnly: true };
  const there = given.find((one) => isFields(one) && one["mountPath"] === shimPaths.podFolder);
  if (isFields(there) && there["name"] !== volumeName) {
    throw workloadError(ref, `the container ${name} mounts a volume at ${shimPaths.podFolder}`);
  }
  return there === undefined ? [...given, ours] : given;
}

/** The node's folder, made where no agent has been yet: pods start without the shim, not never. */
function volumesOf(value: unknown, ref: WorkloadRef): readonly unknown[] {
  const given = listOf(value);
  const hostPath = { path: shimPaths.hostFolder, type: "DirectoryOrCreate" };
  const there = given.find((one) => isFields(one) && one["name"] === volumeName);
  if (there === undefined) return [...given, { name: volumeName, hostPath }];
  if (isFields(there) && isDeepStrictEqual(there["hostPath"], hostPath)) return given;
  throw workloadError(ref, `it has a volume named ${volumeName} that is not ours`);
}

/** The one element of this name; two are refused, because only one of them counts. */
function only(
  list: readonly unknown[],
  name: string,
  about: { readonly name: string; readonly ref: WorkloadRef },
): Fields | undefined {
  const found = list.filter(isFields).filter((one) => one["name"] === name);
  if (found.length > 1) {
    throw workloadError(about.ref, `the container ${about.name} sets ${name} more than once`);
  }
  return found[0];
}

/** In place of the element of that name, or at the end. */
function withNamed(
  list: readonly unknown[],
  element: { readonly name: string; readonly value: string },
): readonly unknown[] {
  const isIt = (one: unknown) => isFields(one) && one["name"] === element.name;
  if (!list.some(isIt)) return [...list, element];
  return list.map((one) => (isIt(one) ? element : one));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
