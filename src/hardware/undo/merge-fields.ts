import { isDeepStrictEqual } from "node:util";
import type { JsonPatchOperation, KubeObject } from "../../platform/kube/index.ts";
import type { FieldUndo } from "../objects/index.ts";
import {
  isFields,
  pointerNames,
  pointerTo,
  valueAt,
  withValueAt,
} from "../workload/json-pointer.ts";
import { type MergedValue, mergeValue } from "./merge-values.ts";

/** How an object becomes what it would be had we never changed it. */
export interface FieldsMerge<T> {
  readonly object: T;
  /** Guarded by the version of the object; none: nothing is to be done. */
  readonly operations: readonly JsonPatchOperation[];
  /** What somebody else changed, and stays. */
  readonly left: readonly string[];
}

/**
 * Takes our changes out of an object, each on its own. What others changed since stays: other fields,
 * other elements of the same lists, and fields of ours that they changed to something else.
 */
export function mergeFields<T extends KubeObject>(
  fields: readonly FieldUndo[],
  current: T,
): FieldsMerge<T> {
  const operations: JsonPatchOperation[] = [];
  const left: string[] = [];
  let object = current;
  for (const field of fields) {
    const { pointer, merged } = placeOf(field, object);
    left.push(...merged.left);
    const found = valueAt(object, pointer);
    if (isDeepStrictEqual(found, merged.value)) continue;
    if (!hasParent(object, pointer)) {
      left.push(`${pointer} has nothing above it any more`);
      continue;
    }
    operations.push(operationFor(pointer, found, merged.value));
    object = withValueAt(object, pointer, merged.value);
  }
  const { resourceVersion } = current.metadata;
  if (operations.length === 0 || resourceVersion === undefined) return { object, operations, left };
  const path = "/metadata/resourceVersion";
  const guard = { op: "test", path, value: resourceVersion } as const;
  return { object, operations: [guard, ...operations], left };
}

interface Place {
  readonly pointer: string;
  readonly merged: MergedValue;
}

/** Where a field is now: elements of a list (containers) move when somebody puts one before them. */
function placeOf({ pointer, before, applied }: FieldUndo, object: KubeObject): Place {
  const at = (place: string): Place => ({
    pointer: place,
    merged: mergeValue({ before, applied, current: valueAt(object, place) }, place),
  });
  const given = at(pointer);
  const changes = ({ pointer: place, merged }: Place) =>
    !isDeepStrictEqual(valueAt(object, place), merged.value);
  if (changes(given)) return given;
  return otherPlaces(pointer, object).map(at).find(changes) ?? given;
}

function otherPlaces(pointer: string, object: KubeObject): readonly string[] {
  const names = pointerNames(pointer);
  const index = names.findLastIndex((name) => /^\d+$/.test(name));
  if (index === -1 || index === names.length - 1) return [];
  const list = pointerTo("", ...names.slice(0, index));
  const elements = valueAt(object, list);
  if (!Array.isArray(elements)) return [];
  return elements.flatMap((_, at) =>
    at === Number(names[index]) ? [] : [pointerTo(list, at, ...names.slice(index + 1))],
  );
}

function hasParent(object: KubeObject, pointer: string): boolean {
  const parent = valueAt(object, pointerTo("", ...pointerNames(pointer).slice(0, -1)));
  return isFields(parent) || Array.isArray(parent);
}

function operationFor(path: string, found: unknown, value: unknown): JsonPatchOperation {
  if (value === undefined) return { op: "remove", path };
  return { op: found === undefined ? "add" : "replace", path, value };
}
