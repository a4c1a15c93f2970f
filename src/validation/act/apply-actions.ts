import { toTesseraError } from "../../platform/errors/index.ts";
import type { AuditEntry } from "../../platform/store/index.ts";
import type { NodeControls } from "../clusters/cluster.ts";
import type { History } from "../history/history.ts";
import type { ActSettings } from "../settings.ts";
import type { NodeAction } from "./decision.ts";
import { LabelMemory, marksOf } from "./labels.ts";

/** What came of one action. */
export interface ActionOutcome {
  readonly action: NodeAction;
  /** `planned`: it would be done if acting were switched on. */
  readonly result: "done" | "planned" | "refused" | "failed";
  /** Why it was not done; absent when it was. */
  readonly problem?: string;
}

export interface ApplyPorts {
  readonly cluster: string;
  /** Undefined where nodes cannot be changed. */
  readonly controls: NodeControls | undefined;
  readonly history: Pick<History, "recordNodeEvents">;
  /** Adds to the audit log; each entry is durable when it resolves. */
  readonly audit: (entry: AuditEntry) => Promise<void>;
  /** Labels this process has set, so that they are set only when they change. */
  readonly labels: LabelMemory;
  /** The cluster's time, for what happened to its nodes. */
  readonly nowMs: () => number;
  /** This machine's time, for the audit log. */
  readonly auditNowMs: () => number;
}

/** Labels set in one round; after a start all of them are to be set, and the rest can wait. */
const labelsMax = 100;
/** After so many failures in a round no more labels are tried: the cluster has other troubles. */
const labelFailuresMax = 3;

type DoorAction = Extract<NodeAction, { readonly kind: "cordon" | "release" }>;

/**
 * Does what was decided, one after the other. What is done to close or open a node is in the audit
 * log before it is begun and after it ended, and among the events of the node. One that fails leaves
 * the others going; the next round decides anew and tries again.
 *
 * @returns what came of each; labels that are set already are not among them.
 */
export async function applyActions(
  actions: readonly NodeAction[],
  mode: ActSettings["mode"],
  ports: ApplyPorts,
): Promise<readonly ActionOutcome[]> {
  const outcomes: ActionOutcome[] = [];
  let labels = 0;
  let failures = 0;
  for (const action of mode === "off" ? [] : actions) {
    if (action.kind === "label") {
      if (ports.labels.has(action) || labels >= labelsMax) continue;
      if (failures >= labelFailuresMax) continue;
      labels++;
    }
    const outcome = await applyOne(action, mode, ports);
    if (action.kind === "label" && outcome.result === "failed") failures++;
    outcomes.push(outcome);
  }
  return outcomes;
}

async function applyOne(
  action: NodeAction,
  mode: ActSettings["mode"],
  ports: ApplyPorts,
): Promise<ActionOutcome> {
  const { controls } = ports;
  if (mode !== "on") {
    // Said once, like a label that is set once.
    if (action.kind === "label") ports.labels.add(action);
    return { action, result: "planned", problem: "acting is a dry run" };
  }
  if (controls === undefined) {
    if (action.kind === "label") ports.labels.add(action);
    return { action, result: "refused", problem: "the nodes of this cluster cannot be changed" };
  }
  try {
    if (action.kind === "label") {
      await controls.mark(action.node, marksOf(action, ports.nowMs()));
      ports.labels.add(action);
      return { action, result: "done" };
    }
    return await applyToDoor(action, controls, ports);
  } catch (thrown) {
    const { code, message } = toTesseraError(thrown);
    return { action, result: "failed", problem: `${code}: ${message}` };
  }
}

/** Why a door is not for us to close or to open. */
const refusals: Readonly<Record<DoorAction["kind"], string>> = {
  cordon: "somebody else had closed it, or it has left",
  release: "somebody else closed it, or it is down or about to boot",
};

async function applyToDoor(
  action: DoorAction,
  controls: NodeControls,
  ports: ApplyPorts,
): Promise<ActionOutcome> {
  const { node, kind, reason, runIds, actor } = action;
  await audit(action, ports, { phase: "begin" });
  try {
    if (!(await controls[kind === "cordon" ? "cordon" : "uncordon"](node, reason))) {
      const problem = refusals[kind];
      await audit(action, ports, { phase: "refused", problem });
      return { action, result: "refused", problem };
    }
  } catch (thrown) {
    const { code, message } = toTesseraError(thrown);
    await audit(action, ports, { phase: "failed", code, problem: message });
    return { action, result: "failed", problem: `${code}: ${message}` };
  }
  await ports.history.recordNodeEvents([
    {
      cluster: ports.cluster,
      node,
      atMs: ports.nowMs(),
      kind: kind === "cordon" ? "cordoned" : "released",
      details: { reason, actor, runIds },
    },
  ]);
  await audit(action, ports, { phase: "done" });
  return { action, result: "done" };
}

async function audit(
  { node, kind, reason, runIds, actor }: DoorAction,
  { audit: append, auditNowMs, cluster }: ApplyPorts,
  about: { readonly phase: string; readonly problem?: string; readonly code?: string },
): Promise<void> {
  await append({
    atMs: auditNowMs(),
    actor,
    action: `node.${kind}`,
    subject: `${cluster}/${node}`,
    details: { ...about, reason, runIds },
  });
}
