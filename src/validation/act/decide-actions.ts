import { atOnce, type Steps } from "../../platform/concurrency/index.ts";
import type { ClusterNode } from "../clusters/cluster.ts";
import type { NodeEvent } from "../history/history.ts";
import type { CheckStates } from "../judge/index.ts";
import type { WantedRun } from "../plan/planner.ts";
import type { ActSettings, GuardSettings } from "../settings.ts";
import { acceptanceOf } from "./acceptance.ts";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.ts";
import type { Decision, NodeAction, NodeHealth, Refusal } from "./decision.ts";
import { type HealthOfNode, healthOf } from "./node-health.ts";
import { deedsOf, type NodeDeeds, noDeeds } from "./node-record.ts";
import { lagMs } from "./noticed.ts";
import { openIncident } from "./open-incident.ts";

export interface ActInput {
  /** All nodes of a view that is current. */
  readonly nodes: readonly ClusterNode[];
  readonly states: CheckStates;
  /** The checks a node must pass. Where there are none, nothing is closed or opened. */
  readonly requiredChecks: readonly string[];
  /** What happened to the nodes; `cordoned`, `released`, `override` and `repair` count. */
  readonly events: readonly NodeEvent[];
  readonly settings: Pick<ActSettings, "label" | "cordon" | "cordonedShareMax">;
  readonly guard: Pick<GuardSettings, "cooldownMs" | "retestAfterMs">;
  readonly nowMs: number;
  /** How many nodes must stay open to users, whatever happens. @default 1 */
  readonly openNodesMin?: number;
}

/** So many nodes are looked at in one step. */
const nodesAtOnce = 2000;

/** A node with everything that is known about it. */
interface NodeCase {
  readonly node: ClusterNode;
  readonly health: HealthOfNode;
  readonly deeds: NodeDeeds;
}

interface Outcome {
  readonly standing: NodeHealth["standing"];
  readonly why: string;
  readonly action?: NodeAction;
  readonly refusal?: Refusal;
  readonly wanted?: readonly WantedRun[];
}

/**
 * Decides what is to be done about the nodes of a cluster, from what is known now and nothing else.
 * A node is closed only when a required check failed, or a person holds it; never when the circuit
 * breaker is against it, and never twice for the same run. It is opened only when a person says so,
 * or when every required check has passed in a run planned after it was closed and repaired.
 */
export function decideActions(input: ActInput): Decision {
  return atOnce(decideSteps(input));
}

/** The same in steps, for those who have something else to do meanwhile. */
export function* decideSteps(input: ActInput): Steps<Decision> {
  const { nodes, settings } = input;
  const deeds = deedsOf(input.events);
  const cases: NodeCase[] = [];
  for (const node of nodes) {
    const health = healthOf(node.name, input);
    cases.push({ node, health, deeds: deeds.get(node.name) ?? noDeeds });
    if (cases.length % nodesAtOnce === 0) yield;
  }
  const breaker = breakerFor(cases, input);
  yield;
  // Only these ask the breaker, so only their order means anything.
  const urgent = new Map(
    cases
      .filter(isUrgent)
      .toSorted(mostUrgentFirst)
      .map((one) => [one, outcomeOf(one, input, breaker)] as const),
  );
  const [doors, labels, refusals, wanted, health]: [
    NodeAction[],
    NodeAction[],
    Refusal[],
    WantedRun[],
    NodeHealth[],
  ] = [[], [], [], [], []];
  for (const one of cases) {
    const outcome = urgent.get(one) ?? outcomeOf(one, input, breaker);
    const { verdict, sentence } = one.health;
    const { standing, why } = outcome;
    health.push({ node: one.node.name, verdict, sentence, standing, why });
    if (outcome.action !== undefined) doors.push(outcome.action);
    if (outcome.refusal !== undefined) refusals.push(outcome.refusal);
    if (outcome.wanted !== undefined) wanted.push(...outcome.wanted);
    if (settings.label) labels.push(labelOf(one));
    if (health.length % nodesAtOnce === 0) yield;
  }
  wanted.sort((a, b) => a.notBeforeMs - b.notBeforeMs);
  return { actions: [...doors, ...labels], refusals, wanted, health };
}

function breakerFor(cases: readonly NodeCase[], input: ActInput): CircuitBreaker {
  const { nodes, states, settings, nowMs, openNodesMin = 1 } = input;
  let closed = 0;
  for (const one of cases) if (isClosedByUs(one, nowMs)) closed++;
  return createCircuitBreaker({
    nodes,
    closed,
    cordonedShareMax: settings.cordonedShareMax,
    openNodesMin,
    incident: openIncident(states, new Set(nodes.map(({ name }) => name)), nowMs),
  });
}

function labelOf({ node, health }: NodeCase): NodeAction {
  return { kind: "label", node: node.name, verdict: health.verdict, reason: health.sentence };
}

function outcomeOf(one: NodeCase, input: ActInput, breaker: CircuitBreaker): Outcome {
  const { node, deeds } = one;
  if (!input.settings.cordon) {
    const standing = node.cordoned ? "closed-by-others" : "open";
    return { standing, why: "Closing and opening nodes is switched off." };
  }
  if (deeds.override?.action === "hold") return outcomeOfHeld(one, deeds.override, breaker);
  if (node.awaitsAcceptance) return outcomeOfClosed(one, input);
  if (node.cordoned) {
    return { standing: "closed-by-others", why: "Somebody else closed it, who is to open it." };
  }
  if (isClosing(one, input.nowMs))
    return { standing: "closed", why: "It was closed a moment ago." };
  return outcomeOfOpen(one, breaker);
}

function outcomeOfHeld(
  { node }: NodeCase,
  { actor, reason }: NonNullable<NodeDeeds["override"]>,
  breaker: CircuitBreaker,
): Outcome {
  const why = `Held by ${actor}: ${reason}.`;
  if (node.cordoned) return { standing: "held", why };
  // A person's word is not asked for a share of nodes, but counts in it.
  breaker.close(node);
  const action = doorAction("cordon", node, { reason: why, actor });
  return { standing: "held", why, action };
}

function outcomeOfClosed({ node, deeds }: NodeCase, input: ActInput): Outcome {
  const { cordoned, override, releasedAtMs, repairedAtMs } = deeds;
  const isNewer = (atMs: number) => cordoned === undefined || atMs >= cordoned.atMs;
  if (override?.action === "release" && isNewer(override.atMs)) {
    const { actor, reason } = override;
    const why = `Released by ${actor}: ${reason}.`;
    const action = doorAction("release", node, { reason: why, actor });
    return { standing: "closed", why, action };
  }
  if (cordoned === undefined) return ofUnknownCordon(node, { releasedAtMs, nowMs: input.nowMs });
  const { accepted, wanted, missing } = acceptanceOf(node.name, {
    ...input,
    cordoned,
    repairedAtMs,
  });
  if (accepted === undefined) return { standing: "closed", why: `Closed: ${missing}.`, wanted };
  const why = `Every required check passed after it was closed: ${accepted.map(({ check }) => check).join(", ")}.`;
  const runIds = accepted.map(({ runId }) => runId);
  const action = doorAction("release", node, { reason: why, runIds });
  return { standing: "closed", why, action };
}

/** A node of ours without a record of when it was closed: the process ended in between. */
function ofUnknownCordon(
  node: ClusterNode,
  given: { readonly releasedAtMs: number | undefined; readonly nowMs: number },
): Outcome {
  const { releasedAtMs, nowMs } = given;
  if (releasedAtMs !== undefined && nowMs - releasedAtMs < lagMs) {
    return { standing: "closed", why: "It was opened a moment ago." };
  }
  const why = "It is closed by us and nothing says since when: it counts from now.";
  const action = doorAction("cordon", node, { reason: why });
  return { standing: "closed", why, action };
}

const nothingFailed: Outcome = { standing: "open", why: "No required check has failed." };

function outcomeOfOpen({ node, health, deeds }: NodeCase, breaker: CircuitBreaker): Outcome {
  const standing = "open";
  const [anyFailed] = health.failed;
  if (anyFailed === undefined) return nothingFailed;
  const failed = health.failed.filter(
    ({ runId, endedAtMs }) =>
      !deeds.answeredRunIds.has(runId) && endedAtMs > (deeds.releasedAtMs ?? -1),
  );
  const [first] = failed;
  if (first === undefined) {
    return { standing, why: `It was opened after run ${anyFailed.runId}, which failed.` };
  }
  const refused = breaker.refusal(node);
  if (refused !== undefined) {
    const why = `It failed and stays open. ${refused.reason}`;
    return { standing, why, refusal: { node: node.name, ...refused } };
  }
  breaker.close(node);
  const why = failed.map(({ check, reason }) => `${check}: ${reason}`).join(" ");
  const runIds = failed.map(({ runId }) => runId);
  const action = doorAction("cordon", node, { reason: why, runIds });
  return { standing, why: `It failed. ${why}`, action };
}

/** Closed by us, as far as anybody knows: also when the view does not show it yet. */
function isClosedByUs(one: NodeCase, nowMs: number): boolean {
  const { node, deeds } = one;
  if (node.awaitsAcceptance || isClosing(one, nowMs)) return true;
  return node.cordoned && deeds.cordoned !== undefined;
}

/** Closed by us just now, and still open in the view. */
function isClosing({ node, deeds }: NodeCase, nowMs: number): boolean {
  const { cordoned } = deeds;
  return cordoned !== undefined && !node.cordoned && nowMs - cordoned.atMs < lagMs;
}

/** True for those who may be closed now. */
function isUrgent({ deeds, health }: NodeCase): boolean {
  return deeds.override?.action === "hold" || health.failed.length > 0;
}

/** Held nodes first, then by who failed earliest; so the breaker's room goes to the same nodes. */
function mostUrgentFirst(a: NodeCase, b: NodeCase): number {
  const held = (one: NodeCase) => (one.deeds.override?.action === "hold" ? 0 : 1);
  const failedAt = (one: NodeCase) =>
    Math.min(...one.health.failed.map(({ endedAtMs }) => endedAtMs), Number.POSITIVE_INFINITY);
  const [earlier, later] = [failedAt(a), failedAt(b)];
  return (
    held(a) - held(b) ||
    (earlier === later ? 0 : earlier - later) ||
    (a.node.name < b.node.name ? -1 : 1)
  );
}

function doorAction(
  kind: "cordon" | "release",
  { name: node }: ClusterNode,
  grounds: {
    readonly reason: string;
    /** @default none: a person asked for it, or nobody knows why */
    readonly runIds?: readonly string[];
    /** @default "tessera" */
    readonly actor?: string;
  },
): NodeAction {
  return { kind, node, runIds: [], actor: "tessera", ...grounds };
}
