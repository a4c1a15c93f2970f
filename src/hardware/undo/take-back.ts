import { TesseraError } from "../../platform/errors/index.ts";
import { isNotFound, kubeFailureOf } from "../../platform/kube/index.ts";
import type { ControlUndo, ObjectUndo, UndoEntry, WorkloadUndo } from "../objects/index.ts";
import { workloadName, workloadType } from "../workload/index.ts";
import { mergeFields } from "./merge-fields.ts";
import { attemptsMax, callOptions, type TakenBack, type UndoPorts } from "./ports.ts";
import { takeBackNode } from "./take-back-node.ts";

/**
 * How much later than its lease a control block that nobody disarmed counts as ended: the clock of
 * its node, which the shim looks at, need not be ours.
 */
export const controlSkewMs = 1_000;

/** Takes one entry back; doing it twice is doing it once. */
export function takeBack(entry: UndoEntry, ports: UndoPorts): Promise<TakenBack> {
  switch (entry.kind) {
    case "node":
      return takeBackNode(entry, ports);
    case "workload":
      return takeBackWorkload(entry, ports);
    case "control":
      return takeBackControl(entry, ports);
    case "object":
      return takeBackObject(entry, ports);
  }
}

async function takeBackWorkload(undo: WorkloadUndo, ports: UndoPorts): Promise<TakenBack> {
  const { workload, uid, fields } = undo;
  const type = workloadType(workload);
  const name = workloadName(workload);
  for (let attempt = 1; ; attempt++) {
    try {
      const object = await ports.client.get(type, workload, callOptions(ports));
      if (object.metadata.uid !== uid) return { left: [`${name} was deleted and made anew`] };
      const { operations, left } = mergeFields(fields, object);
      if (operations.length > 0)
        await ports.client.patch(type, workload, { json: operations }, callOptions(ports));
      return { left: left.map((each) => `${name}: ${each}`) };
    } catch (error) {
      if (isNotFound(error)) return { left: [`${name} is gone`] };
      if (!isStale(error) || attempt >= attemptsMax) throw error;
    }
  }
}

/**
 * The object is newer than what was looked at: 409, or 422 for the failed test of its version, which
 * unlike one for a value that cannot be names no field.
 */
function isStale(error: unknown): boolean {
  const failure = kubeFailureOf(error);
  if (failure?.reason === "Conflict") return true;
  return failure?.status === 422 && (failure.statusObject?.details?.causes ?? []).length === 0;
}

async function takeBackControl(undo: ControlUndo, ports: UndoPorts): Promise<TakenBack> {
  if (ports.disarm !== undefined) {
    await ports.disarm(undo);
    return { left: [] };
  }
  const block = `the control block ${undo.scope} on node ${undo.node}`;
  if (ports.clock.nowMs() < ports.leaseUntilMs + controlSkewMs)
    throw new TesseraError("E_HW_REFUSED", {
      what: `Disarming ${block}`,
      problem: "only the agent of its node can, until its lease is over",
    });
  return { left: [`${block} ended by itself with its lease`] };
}

async function takeBackObject(undo: ObjectUndo, ports: UndoPorts): Promise<TakenBack> {
  const { type, namespace, name } = undo;
  try {
    await ports.client.delete(type, { namespace, name }, callOptions(ports));
    return { left: [] };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // Not made yet, or an attempt before this one has deleted it.
    return { left: [] };
  }
}
