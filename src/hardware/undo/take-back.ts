import { TesseraError } from "../../platform/errors/index.ts";
import { isNotFound, kubeFailureOf } from "../../platform/kube/index.ts";
import {
  type ControlUndo,
  type FieldUndo,
  marks,
  type ObjectUndo,
  type UndoEntry,
  type WorkloadUndo,
} from "../objects/index.ts";
import { workloadName, workloadType } from "../workload/index.ts";
import { pointerTo } from "../workload/json-pointer.ts";
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
      const owner = object.metadata.annotations?.[marks.passthrough];
      if (owner !== undefined && isAnothers(owner, fields))
        return { left: [`${name} has the shim of fault ${owner}`] };
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

/** Two faults put the same values into a workload; whose they are, its annotation says. */
function isAnothers(owner: string, fields: readonly FieldUndo[]): boolean {
  const pointer = pointerTo("/metadata/annotations", marks.passthrough);
  const own = fields.find((field) => field.pointer === pointer)?.applied;
  return own !== undefined && own !== owner;
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
  const ref = { namespace, name };
  for (let attempt = 1; ; attempt++) {
    try {
      const { metadata } = await ports.client.get(type, ref, callOptions(ports));
      const { labels, uid } = metadata;
      if (ports.fault === undefined || labels?.[marks.madeFor] !== ports.fault)
        return { left: [`${type.kind} ${namespace}/${name} is somebody else's`] };
      const same = uid === undefined ? {} : { uid };
      await ports.client.delete(type, ref, { ...callOptions(ports), ...same });
      return { left: [] };
    } catch (error) {
      // Not made yet, or an attempt before this one has deleted it.
      if (isNotFound(error)) return { left: [] };
      if (!isStale(error) || attempt >= attemptsMax) throw error;
    }
  }
}
