import { isDeepStrictEqual } from "node:util";
import {
  type JsonPatchOperation,
  type KubeClient,
  type KubeObject,
  kubeFailureOf,
} from "../../platform/kube/index.ts";
import type { FieldUndo, WorkloadRef } from "../objects/index.ts";
import { isFields, pointerNames, pointerTo, valueAt, withValueAt } from "./json-pointer.ts";
import { readWorkload } from "./read-workload.ts";
import { workloadError, workloadType } from "./workload-types.ts";

export interface ApplyFieldsOptions {
  /** The server checks everything and changes nothing. @default false */
  readonly dryRun?: boolean;
  /** Only this very object, not one made later under the same name. @default any */
  readonly uid?: string;
  readonly signal?: AbortSignal;
}

/** How often somebody else may write to the object between our read and our write. */
const attemptsMax = 8;

/**
 * Makes values of a workload so, in one write, and only where each is still what it was before.
 * Values that are so already are left alone: applying twice is applying once.
 *
 * @returns the workload as it is then
 * @throws E_HW_WORKLOAD when somebody else changed one of the values, or the object is another
 */
export async function applyFields(
  client: Pick<KubeClient, "get" | "patch">,
  ref: WorkloadRef,
  fields: readonly FieldUndo[],
  options: ApplyFieldsOptions = {},
): Promise<KubeObject> {
  const { uid, dryRun = false } = options;
  const calls = options.signal === undefined ? {} : { signal: options.signal };
  for (let attempt = 1; ; attempt++) {
    const object = await readWorkload(client, ref, calls);
    if (uid !== undefined && object.metadata.uid !== uid) {
      throw workloadError(ref, "it was deleted and made anew");
    }
    const json = patchFor(object, ref, fields);
    if (json.length === 0) return object;
    try {
      return await client.patch(workloadType(ref), ref, { json }, { ...calls, dryRun });
    } catch (error) {
      if (attempt >= attemptsMax || !isStale(error)) throw error;
    }
  }
}

/** The operations, guarded by the version that was looked at; none: nothing is left to do. */
export function patchFor(
  object: KubeObject,
  ref: WorkloadRef,
  fields: readonly FieldUndo[],
): readonly JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  let changed = object;
  for (const { pointer, before, applied } of fields) {
    const current = valueAt(changed, pointer);
    if (isDeepStrictEqual(current, applied)) continue;
    if (!isDeepStrictEqual(current, before)) {
      throw workloadError(ref, `somebody else changed ${pointer} meanwhile`);
    }
    operations.push(...operationsFor(changed, { pointer, current, applied }));
    changed = withValueAt(changed, pointer, applied);
  }
  const { resourceVersion } = object.metadata;
  if (operations.length === 0 || resourceVersion === undefined) return operations;
  const version = {
    op: "test",
    path: "/metadata/resourceVersion",
    value: resourceVersion,
  } as const;
  return [version, ...operations];
}

function operationsFor(
  object: KubeObject,
  {
    pointer: path,
    current,
    applied,
  }: { readonly pointer: string; readonly current: unknown; readonly applied: unknown },
): readonly JsonPatchOperation[] {
  const was = { op: "test", path, value: current } as const;
  if (applied === undefined) return [was, { op: "remove", path }];
  if (current !== undefined) return [was, { op: "replace", path, value: applied }];
  return [...parentsFor(object, path), { op: "add", path, value: applied }];
}

/** A JSON patch adds nothing below what is not there. */
function parentsFor(object: KubeObject, pointer: string): readonly JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  let parent = "";
  for (const name of pointerNames(pointer).slice(0, -1)) {
    parent = pointerTo(parent, name);
    const value = valueAt(object, parent);
    if (!isFields(value) && !Array.isArray(value)) {
      operations.push({ op: "add", path: parent, value: {} });
    }
  }
  return operations;
}

/**
 * A version that is no longer the newest: the server says 409, or 422 for the failed test, which
 * unlike one for a value that is wrong names no field.
 */
function isStale(error: unknown): boolean {
  const failure = kubeFailureOf(error);
  if (failure?.reason === "Conflict") return true;
  return failure?.status === 422 && (failure.statusObject?.details?.causes ?? []).length === 0;
}
