import { isDeepStrictEqual } from "node:util";
import type { FieldUndo } from "../objects/index.ts";
import { isFields, pointerTo, valueAt } from "./json-pointer.ts";

const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** The most that a preference can weigh. */
const weight = 100;

/**
 * Pods prefer a node, by its name: a label may be missing or say something else. The change is made
 * at the outermost object that is not there yet, so that taking it back leaves no empty shell.
 */
export function affinityField(
  object: unknown,
  specPointer: string,
  node: string,
): FieldUndo | undefined {
  const term = {
    weight,
    preference: { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] },
  };
  const affinity = pointerTo(specPointer, "affinity");
  const nodeAffinity = pointerTo(affinity, "nodeAffinity");
  const list = pointerTo(nodeAffinity, preferred);
  if (!isFields(valueAt(object, affinity))) {
    return { pointer: affinity, applied: { nodeAffinity: { [preferred]: [term] } } };
  }
  if (!isFields(valueAt(object, nodeAffinity))) {
    return { pointer: nodeAffinity, applied: { [preferred]: [term] } };
  }
  const before = valueAt(object, list);
  if (!Array.isArray(before)) return { pointer: list, applied: [term] };
  if (before.some((one) => isDeepStrictEqual(one, term))) return undefined;
  return { pointer: list, before, applied: [...before, term] };
}
