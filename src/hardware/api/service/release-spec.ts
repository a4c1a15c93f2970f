import { TesseraError } from "../../../platform/errors/index.ts";
import type { HardwareFault, WorkloadUndo } from "../../objects/index.ts";
import {
  applyFields,
  readWorkload,
  releaseEffect,
  releaseFields,
  undoAfterRelease,
} from "../../workload/index.ts";
import type { FaultApiPorts } from "../ports.ts";

/** What became of a workload whose template was brought back early. */
export interface Released {
  readonly fault: HardwareFault;
  /** What happens to its pods, in words. */
  readonly effect: string;
}

/**
 * Cleans the pod template of a workload while its fault goes on, without a restart where its kind
 * allows that. What is needed to undo that too is written down first.
 *
 * @throws TesseraError E_HW_REFUSED when the fault is of another kind or not in force
 */
export async function releaseSpec(
  ports: Pick<FaultApiPorts, "client" | "book">,
  fault: HardwareFault,
): Promise<Released> {
  const undo = workloadUndoOf(fault);
  const object = await readWorkload(ports.client, undo.workload);
  const effect = releaseEffect(undo.workload);
  const fields = releaseFields(object, undo);
  if (fields.length === 0) return { fault, effect };
  const after = undoAfterRelease(undo, fields);
  const entries = fault.status?.undo ?? [];
  const amended = await ports.book.amend(
    fault.metadata.name ?? "",
    entries.map((entry) => (entry.kind === "workload" ? after : entry)),
  );
  await applyFields(ports.client, undo.workload, fields, { uid: undo.uid });
  return { fault: amended, effect };
}

function workloadUndoOf(fault: HardwareFault): WorkloadUndo {
  const refused = (problem: string) =>
    new TesseraError("E_HW_REFUSED", {
      what: `Cleaning the spec for fault ${fault.metadata.name}`,
      problem,
    });
  const { kind } = fault.spec.action;
  if (kind !== "passthrough") throw refused(`a fault of kind ${kind} has no workload's spec`);
  const state = fault.status?.state ?? "planned";
  if (state !== "injected" && state !== "observed") throw refused(`the fault is ${state}`);
  const entry = fault.status?.undo?.find((each) => each.kind === "workload");
  if (entry === undefined) throw refused("its undo record is not written");
  return entry;
}
