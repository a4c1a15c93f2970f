import { timeText } from "../judge/words.ts";
import {
  type ChaosPlan,
  type RecoveryPath,
  recoveryPhases,
  type Target,
  type Trigger,
} from "../plan/index.ts";
import { ranksText } from "./rank-words.ts";

const targetsShownMax = 4;

/** What a fault hits, in words: the first few, and how many more. */
export function targetsText(targets: readonly Target[]): string {
  const shown = targets.slice(0, targetsShownMax).map(targetText).join(", ");
  const rest = targets.length - targetsShownMax;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function targetText(target: Target): string {
  switch (target.kind) {
    case "rank":
      return `rank ${target.rank}`;
    case "node":
      return `node ${target.node}`;
    case "cut":
      return `the cut ${target.sides.map((side) => side.join(" ")).join(" | ")}`;
    case "link":
      return `link ${target.from} to ${target.to}`;
    case "group":
      return `the ${target.axis} group of ${ranksText(target.ranks)}`;
    case "storage":
      return "storage";
    case "pod":
      return `pod ${target.namespace}/${target.name}`;
    case "slurm-job":
      return "the job";
    case "kubernetes-node":
    case "slurm-node":
      return `node ${target.name}`;
  }
}

/** When a fault begins, in words. */
export function triggerText(trigger: Trigger): string {
  switch (trigger.kind) {
    case "step":
      return `at step ${trigger.step}`;
    case "time":
      return `at ${timeText(trigger.atUs)}`;
    case "collective":
      return `before exchange ${trigger.nth} along ${trigger.axis}`;
    case "checkpoint":
      return `in the ${trigger.phase} of save ${trigger.nth}`;
    case "restore":
      return `in restore ${trigger.nth}`;
  }
}

const pathClaims: Readonly<Record<RecoveryPath, string>> = {
  none: "Nobody has to do anything about it.",
  checkpointRestart: "It goes on from a checkpoint, with as many ranks as before.",
  shrink: "It goes on with fewer replicas.",
  spare: "A spare takes the place of what was lost.",
  manual: "It waits for a person, then goes on.",
  cleanFailure: "The job ends, named and clean.",
};

const integrityClaims: Readonly<Record<ChaosPlan["expect"]["integrity"], readonly string[]>> = {
  bitwise: ["What it learned equals, bit by bit, what it learns without faults."],
  samples: ["No sample is lost or repeated."],
  none: [],
};

/** What a plan must show to pass, a sentence each. */
export function claimsText({ expect, steadyState }: ChaosPlan): readonly string[] {
  const { claim, recovery, within, integrity, gates } = expect;
  const limits = recoveryPhases.flatMap((phase) => {
    const limitUs = within[phase];
    return limitUs === null ? [] : [`Every recovery is at "${phase}" within ${timeText(limitUs)}.`];
  });
  const probes = steadyState.length;
  return [
    claim === "inside"
      ? "It recovers from all faults."
      : "It fails, cleanly: no wrong state stays.",
    ...(recovery === null ? [] : [pathClaims[recovery]]),
    ...limits,
    ...integrityClaims[integrity],
    ...gates.map(({ metric, operator, bound }) => `${metric} ${operator} ${bound}.`),
    ...(probes === 0
      ? []
      : [
          `The steady state (${probes} ${probes === 1 ? "probe" : "probes"}) holds before and after.`,
        ]),
    "No fault is left behind.",
  ];
}
