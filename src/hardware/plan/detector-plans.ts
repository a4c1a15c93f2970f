import {
  isOptedOutBy,
  type LineReactions,
  nvSentinelNames,
  type RecommendedAction,
  reactionsTo,
  remediationKind,
} from "../detectors/index.ts";
import type { GuardFacts, GuardLimits } from "../guard/index.ts";
import type { XidAction } from "../objects/index.ts";
import type { Answer, DetectorPlan, Timing } from "./fault-plan.ts";

const timings = {
  nvsentinel: {
    fromMs: 0,
    toMs: 17_500,
    source: "a look every 15 s, about 2 s to the store, 0.1 to 0.5 s to the cordon",
  },
  tessera: { fromMs: 0, toMs: 1_000, source: "the agent follows the log" },
  gpud: { fromMs: 0, toMs: 60_000, source: "it follows the log; it marks no node" },
} as const satisfies Record<string, Timing>;

/** Worse actions later. */
const actionOrder: readonly RecommendedAction[] = [
  "NONE",
  "CONTACT_SUPPORT",
  "COMPONENT_RESET",
  "RESTART_VM",
  "RESTART_BM",
  "REPLACE_VM",
];

/** What each detector should do with the lines of an XID fault. */
export function detectorPlans(
  action: XidAction,
  lines: readonly string[],
  about: { readonly facts: GuardFacts; readonly limits: GuardLimits },
): readonly DetectorPlan[] {
  const reactions = lines.map(reactionsTo);
  return [
    nvSentinelPlan(action, reactions, about),
    gpudPlan(reactions, about.facts),
    dcgmPlan(reactions, about.facts),
    tesseraPlan(reactions),
  ];
}

function nvSentinelPlan(
  { node }: XidAction,
  reactions: readonly LineReactions[],
  { facts, limits }: { readonly facts: GuardFacts; readonly limits: GuardLimits },
): DetectorPlan {
  const found = facts.nvsentinel.known ? facts.nvsentinel.value.parts : undefined;
  const has = (part: string): Answer =>
    found === undefined ? "unknown" : found.some((each) => each === part) ? "yes" : "no";
  const actions = reactions.map(({ nvsentinel }) => nvsentinel.action);
  const worst = actionOrder.findLast((each) => actions.includes(each)) ?? "NONE";
  const isFatal = worst !== "NONE";
  const obstacle = isFatal ? nodeObstacle(node, facts) : "a line that is not fatal closes no node";
  const quarantine = both(has("syslog-health-monitor"), has("fault-quarantine"));
  const cordon = obstacle === undefined ? quarantine : obstacle === "unknown" ? "unknown" : "no";
  return {
    name: "nvsentinel",
    present: has("syslog-health-monitor"),
    matched: reactions.some(({ nvsentinel }) => nvsentinel.matched),
    isFatal,
    action: remediationKind(worst) === undefined ? worst : `${worst} (${remediationKind(worst)})`,
    cordon,
    drain: cordon === "no" ? "none" : drainOf(has("node-drainer"), limits),
    timing: timings.nvsentinel,
    why: whyOf(obstacle, quarantine),
  };
}

function whyOf(obstacle: string | undefined, quarantine: Answer): string {
  if (obstacle === "unknown") return "the node could not be looked at";
  if (obstacle !== undefined) return obstacle;
  if (quarantine === "yes") return "fault-quarantine closes the node for a fatal line";
  return quarantine === "no"
    ? "monitor or fault-quarantine is not installed, and by default they only watch"
    : "what is installed could not be read";
}

/** Why NVSentinel would leave the node alone; `unknown` where it cannot be told. */
function nodeObstacle(name: string, { nodes, breaker }: GuardFacts): string | undefined {
  if (!nodes.known || !breaker.known) return "unknown";
  const node = nodes.value.find((each) => each.name === name);
  if (node === undefined) return "there is no such node";
  if (breaker.value === "TRIPPED") return "its circuit breaker has tripped: it does nothing";
  if (node.labels[nvSentinelNames.gpuLabel] !== "true")
    return `the node has no label ${nvSentinelNames.gpuLabel}=true`;
  if (isOptedOutBy(node.labels)) return "the node is taken out of its hands by a label";
  return undefined;
}

function drainOf(drainer: Answer, { drainMode }: GuardLimits): string {
  if (drainer === "no") return "none: node-drainer is not installed";
  const words = {
    AllowCompletion: "AllowCompletion: pods end by themselves, nobody is evicted",
    Immediate: "Immediate: pods are evicted, budgets respected, 60 s grace",
    DeleteAfterTimeout: "DeleteAfterTimeout: pods are deleted without grace when time is up",
    unknown: "unknown: its settings are not told to this guard; by default nobody is evicted",
  };
  return words[drainMode];
}

function gpudPlan(reactions: readonly LineReactions[], facts: GuardFacts): DetectorPlan {
  const seen = reactions.flatMap(({ gpud }) => gpud ?? []);
  const isFatal = seen.some(({ eventType }) => eventType === "Fatal");
  const actions = [...new Set(seen.flatMap((each) => each.actions))];
  return {
    name: "gpud",
    present: otherDetector(facts, "gpud"),
    matched: seen.length > 0,
    isFatal,
    action: actions.length === 0 ? "none" : actions.join(", "),
    cordon: "no",
    drain: "none",
    timing: timings.gpud,
    why: "gpud reports and recommends; it changes no node",
  };
}

function dcgmPlan(reactions: readonly LineReactions[], facts: GuardFacts): DetectorPlan {
  const real = reactions.flatMap(({ dcgm }) => dcgm.real ?? []);
  const would = real.includes("fail") ? "fail" : real.includes("warn") ? "warn" : "say nothing";
  return {
    name: "dcgm",
    present: otherDetector(facts, "dcgm"),
    matched: false,
    isFatal: false,
    action: "none",
    cordon: "no",
    drain: "none",
    why: `DCGM asks the driver, not the log: a line does nothing to it; the real fault would make it ${would}`,
  };
}

function tesseraPlan(reactions: readonly LineReactions[]): DetectorPlan {
  const isFatal = reactions.some(({ nvsentinel }) => nvsentinel.action !== "NONE");
  return {
    name: "tessera",
    present: "unknown",
    matched: reactions.some(({ nvsentinel }) => nvsentinel.matched),
    isFatal,
    action: isFatal ? "condition" : "none",
    cordon: isFatal ? "unknown" : "no",
    drain: "by the agent's --detector setting",
    timing: timings.tessera,
    why: "the agent's --detector says whether it only marks, or closes and drains too",
  };
}

function otherDetector({ otherDetectors }: GuardFacts, name: "gpud" | "dcgm"): Answer {
  if (!otherDetectors.known) return "unknown";
  return otherDetectors.value[name] ? "yes" : "no";
}

function both(a: Answer, b: Answer): Answer {
  if (a === "no" || b === "no") return "no";
  return a === "yes" && b === "yes" ? "yes" : "unknown";
}
