import { isDeepStrictEqual } from "node:util";
import { whoCordoned } from "../detectors/index.ts";
import { readEventList } from "../detectors/nvsentinel/event-list.ts";
import type { HealthEvent } from "../detectors/nvsentinel/health-event.ts";
import { nvSentinelNames } from "../detectors/nvsentinel/names.ts";
import {
  marks,
  type NodeObject,
  type NodeTaint,
  type NodeUndo,
  ownCondition,
} from "../objects/index.ts";
import { type FaultCause, foreignParts, isTestEvent } from "./cause.ts";
import { realCauseMark } from "./own-condition.ts";

/** What has to change on a node so that it is as if the fault had never been. */
export interface NodeMerge {
  /** It was open, and a detector closed it because of a test. */
  readonly uncordon: boolean;
  /** NVSentinel closed it, and cancels its work when it sees the node opened by hand. */
  readonly tellsNvSentinel: boolean;
  /** Null takes one away. */
  readonly annotations: Readonly<Record<string, string | null>>;
  readonly labels: Readonly<Record<string, string | null>>;
  /** All that stay; absent: as they are. */
  readonly taints?: readonly NodeTaint[];
  /** By type, the status to set; null takes the condition away. */
  readonly conditions: Readonly<Record<string, string | null>>;
  /** What is left alone because it is not ours to change, in words. */
  readonly left: readonly string[];
}

type Values = Readonly<Record<string, string | null>>;

const { annotations: notes, conditions: checks } = nvSentinelNames;

/** Our own detector marks a cordon with the correlation id of a test's line, 12 hex digits. */
const testMark = /^[0-9a-f]{12}$/;

/**
 * Compares a node with what it was before a fault. What a detector did because of the fault is taken
 * back; what a person did, or a detector because of something real, stays and is named.
 */
export function mergeNode(undo: NodeUndo, node: NodeObject, cause?: FaultCause): NodeMerge {
  const { before } = undo;
  const real = readEventList(node.metadata.annotations?.[notes.event]).filter(
    (event) => !isTestEvent(event, cause),
  );
  const mark = node.metadata.annotations?.[marks.cordonedBy];
  const isMarked = mark !== undefined && !testMark.test(mark);
  const realMark = isMarked ? mark : newCauseMark(undo, node);
  const cordon = mergeCordon(undo, node, { real, realMark });
  const stays = (key: string) => (key === marks.cordonedBy ? isMarked : real.length > 0);
  const conditions = mergeConditions(before.conditions, node, cause);
  return {
    uncordon: cordon.uncordon,
    tellsNvSentinel: cordon.uncordon && whoCordoned(node).by === "nvsentinel",
    annotations: {
      ...changesTo(before.annotations, node.metadata.annotations ?? {}, stays),
      ...(cordon.mark === undefined || cordon.mark === mark
        ? {}
        : { [marks.cordonedBy]: cordon.mark }),
    },
    labels: changesTo(before.labels, node.metadata.labels ?? {}, stays),
    ...(real.length > 0 ? {} : mergeTaints(before.taints, node)),
    conditions: conditions.changes,
    left: [...cordon.left, ...conditions.left],
  };
}

/** True when there is nothing to do. */
export function isNothing(merge: NodeMerge): boolean {
  const { uncordon, annotations, labels, taints, conditions } = merge;
  return (
    !uncordon &&
    taints === undefined &&
    [annotations, labels, conditions].every((each) => Object.keys(each).length === 0)
  );
}

function mergeCordon(
  { node: name, before }: NodeUndo,
  node: NodeObject,
  found: { readonly real: readonly HealthEvent[]; readonly realMark: string | undefined },
): {
  readonly uncordon: boolean;
  /** What the node stays closed for. */
  readonly mark?: string;
  readonly left: readonly string[];
} {
  const stays = (why: string) => ({ uncordon: false, left: [`node ${name} stays closed: ${why}`] });
  const { cordoned, by } = whoCordoned(node);
  if (before.unschedulable)
    return cordoned
      ? { uncordon: false, left: [] }
      : { uncordon: false, left: [`node ${name} stays open: somebody opened it meanwhile`] };
  if (!cordoned) return { uncordon: false, left: [] };
  if (by === "other") return stays("somebody else closed it meanwhile");
  if (by === "nvsentinel" && found.real.length > 0) {
    const codes = found.real.flatMap(({ errorCode = [] }) => errorCode);
    return stays(`NVSentinel reports what is no test of ours (error ${codes.join(", ")})`);
  }
  if (found.realMark !== undefined) {
    const left = stays("our detector has seen a line that is no test of ours");
    return { ...left, mark: found.realMark };
  }
  return { uncordon: true, left: [] };
}

/** What our detector shows that it did not show before, and that is no test. */
function newCauseMark({ before }: NodeUndo, node: NodeObject): string | undefined {
  return before.conditions[ownCondition] === "True" ? undefined : realCauseMark(node);
}

function changesTo(
  before: Values,
  current: Readonly<Record<string, string>>,
  stays: (key: string) => boolean,
): Values {
  return Object.fromEntries(
    Object.entries(before).filter(
      ([key, value]) => (current[key] ?? null) !== value && !stays(key),
    ),
  );
}

/** NVSentinel notes which taints are its own; any other is somebody's. */
function mergeTaints(
  before: readonly NodeTaint[],
  node: NodeObject,
): { readonly taints?: readonly NodeTaint[] } {
  const own = taintsIn(node.metadata.annotations?.[notes.appliedTaints]);
  const current = node.spec?.taints ?? [];
  const taints = current.filter(
    (taint) =>
      !own.some((one) => isSameTaint(one, taint)) || before.some((one) => isSameTaint(one, taint)),
  );
  return taints.length === current.length ? {} : { taints };
}

function taintsIn(annotation: string | undefined): readonly NodeTaint[] {
  try {
    const value: unknown = JSON.parse(annotation ?? "[]");
    return (Array.isArray(value) ? value : []).flatMap(taintOf);
  } catch {
    return [];
  }
}

/** Its Go structs have been written with and without lower-case names. */
function taintOf(value: unknown): readonly NodeTaint[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = new Map(Object.entries(value).map(([key, one]) => [key.toLowerCase(), one]));
  const [key, effect, text] = ["key", "effect", "value"].map((name) => fields.get(name));
  if (typeof key !== "string" || typeof effect !== "string") return [];
  return [{ key, effect, ...(typeof text === "string" ? { value: text } : {}) }];
}

function isSameTaint(one: NodeTaint, other: NodeTaint): boolean {
  const parts = ({ key, value = "", effect }: NodeTaint) => [key, value, effect];
  return isDeepStrictEqual(parts(one), parts(other));
}

function mergeConditions(
  before: Values,
  node: NodeObject,
  cause: FaultCause | undefined,
): { readonly changes: Values; readonly left: readonly string[] } {
  const changes: Record<string, string | null> = {};
  const left: string[] = [];
  for (const { type, status, message = "" } of node.status?.conditions ?? []) {
    const was = before[type];
    if (was === undefined || was === status) continue;
    // Ours stays as a sign that it is well again: watchers of conditions wait for that.
    const wanted = type === ownCondition ? (was ?? "False") : was;
    if (wanted === status) continue;
    if (!isForeign(node, { type, status, message }, cause)) changes[type] = wanted;
    else left.push(`the condition ${type} stays: it tells of what is no test of ours`);
  }
  return { changes, left };
}

/** True when a condition tells of something else than a test. */
function isForeign(
  node: NodeObject,
  { type, status, message }: Readonly<Record<"type" | "status" | "message", string>>,
  cause: FaultCause | undefined,
): boolean {
  if (status !== "True") return false;
  if (type === ownCondition) return realCauseMark(node) !== undefined;
  return isAboutLines(type) && foreignParts(message, cause).length > 0;
}

/** Conditions whose message holds the lines they come from; the analysis of many lines does not. */
function isAboutLines(type: string): boolean {
  return type === checks.xid || type === checks.sxid || type === checks.fallenOff;
}
