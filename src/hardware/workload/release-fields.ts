import type { KubeObject } from "../../platform/kube/index.ts";
import type { FieldUndo, WorkloadUndo } from "../objects/index.ts";
import { valueAt } from "./json-pointer.ts";
import { fieldAt } from "./shim-fields.ts";
import { takeOut } from "./take-out.ts";

/** What belongs to the fault itself rather than to its pods, and stays until it ends. */
const keptUntilTheEnd = /^\/(metadata|spec\/strategy|spec\/paused|spec\/updateStrategy)(\/|$)/;

/**
 * What brings the pod template of a workload back while its pods go on, as far as its controller
 * lets them: `releaseEffect` says what it will do. A Deployment is paused and a StatefulSet updates
 * OnDelete until the fault ends. Pure. Before it is applied, `undoAfterRelease` has to be written
 * down: it is not the reverse of these fields.
 */
export function releaseFields(object: KubeObject, undo: WorkloadUndo): readonly FieldUndo[] {
  const { kind } = undo.workload;
  const back = undo.fields
    .filter(({ pointer }) => !keptUntilTheEnd.test(pointer))
    .map(({ pointer, before, applied }) => {
      const current = valueAt(object, pointer);
      return fieldAt(object, pointer, takeOut({ before, applied, current }));
    })
    .filter((field) => field !== undefined);
  if (back.length === 0) return [];
  const hold =
    kind === "deployment"
      ? fieldAt(object, "/spec/paused", true)
      : kind === "statefulset"
        ? fieldAt(object, "/spec/updateStrategy", { type: "OnDelete" })
        : undefined;
  return hold === undefined ? back : [hold, ...back];
}

/**
 * The undo of a workload whose template was brought back early: what holds its controller still is
 * taken back too when the fault ends. What is back already stays named, and there is nothing to do
 * for it.
 */
export function undoAfterRelease(undo: WorkloadUndo, released: readonly FieldUndo[]): WorkloadUndo {
  const known = new Set(undo.fields.map(({ pointer }) => pointer));
  const holds = released.filter(({ pointer }) => !known.has(pointer));
  return { ...undo, fields: [...undo.fields, ...holds] };
}
