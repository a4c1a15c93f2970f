import { isTesseraError, TesseraError } from "../../../platform/errors/index.ts";
import { type HardwareFault, isLive, type WorkloadUndo } from "../../objects/index.ts";
import { takeBack } from "../../undo/index.ts";
import {
  applyFields,
  readWorkload,
  releaseEffect,
  releaseFields,
  undoAfterRelease,
} from "../../workload/index.ts";
import type { FaultApiPorts } from "../ports.ts";

type ReleasePorts = Pick<FaultApiPorts, "client" | "book" | "clock">;

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
 * @throws TesseraError E_HW_REFUSED when the fault is of another kind or not in force any more
 */
export async function releaseSpec(ports: ReleasePorts, fault: HardwareFault): Promise<Released> {
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
  const [applied] = await Promise.allSettled([
    applyFields(ports.client, undo.workload, fields, { uid: undo.uid }),
  ]);
  if (await hasEnded(ports, amended)) {
    // A reaper may have been there before us, and found nothing of this to take back.
    const leaseUntilMs = Date.parse(amended.status?.leaseUntil ?? "");
    await takeBack(after, { client: ports.client, clock: ports.clock, leaseUntilMs });
    throw refusal(fault, "the fault has ended meanwhile, and the workload is as it was before it");
  }
  if (applied.status === "rejected") throw applied.reason;
  return { fault: amended, effect };
}

/** By now: one that is not there any more has ended too. */
async function hasEnded({ book }: ReleasePorts, { metadata }: HardwareFault): Promise<boolean> {
  try {
    const fault = await book.get(metadata.name ?? "");
    return fault.status?.end !== undefined || !isLive(fault);
  } catch (error) {
    if (isTesseraError(error) && error.code === "E_HW_FAULT_UNKNOWN") return true;
    throw error;
  }
}

function refusal(fault: HardwareFault, problem: string): TesseraError {
  const what = `Cleaning the spec for fault ${fault.metadata.name}`;
  return new TesseraError("E_HW_REFUSED", { what, problem });
}

function workloadUndoOf(fault: HardwareFault): WorkloadUndo {
  const refused = (problem: string) => refusal(fault, problem);
  const { kind } = fault.spec.action;
  if (kind !== "passthrough") throw refused(`a fault of kind ${kind} has no workload's spec`);
  const state = fault.status?.state ?? "planned";
  if (state !== "injected" && state !== "observed") throw refused(`the fault is ${state}`);
  const entry = fault.status?.undo?.find((each) => each.kind === "workload");
  if (entry === undefined) throw refused("its undo record is not written");
  return entry;
}
