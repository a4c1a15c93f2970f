import type { RecoveryPath, RecoveryPhase } from "../../plan/index.ts";
import type { RunRecord } from "../../record/index.ts";
import type { Recovery } from "../judgement.ts";
import type { Lineage } from "../lineage.ts";
import { steadyFrom } from "../metrics/stability.ts";
import type { Throughput } from "../metrics/throughput.ts";
import type { CausedEpisode, Causes, EffectiveInjection } from "./causes.ts";
import type { Episode } from "./episode.ts";
import type { StepIndex } from "./step-index.ts";

/** What is known of a run before its recoveries are. */
export interface RecoveryInputs {
  readonly record: RunRecord;
  readonly lineage: Lineage;
  readonly throughput: Throughput | null;
  readonly causes: Causes;
  readonly steps: StepIndex;
}

/** How the job came out of its faults, in the order of their effects. */
export function recoveriesOf(inputs: RecoveryInputs): readonly Recovery[] {
  const { caused, unnoticed } = inputs.causes;
  return [
    ...caused.map((one) => noticedRecovery(one, inputs)),
    ...overlapping(unnoticed).map((faults) => unnoticedRecovery(faults, inputs)),
  ].toSorted((a, b) => a.effectUs - b.effectUs);
}

function noticedRecovery({ episode, causes }: CausedEpisode, inputs: RecoveryInputs): Recovery {
  const { record, lineage, steps } = inputs;
  const [alarm] = episode.detects;
  const detectUs = alarm?.atUs ?? null;
  // Being noticed is an effect too, and sometimes the first that is seen.
  const effectUs = Math.min(causes[0]?.effectUs ?? episode.fromUs, detectUs ?? episode.fromUs);
  const { isolateUs, reformUs, loadUs, firstUs } = episode;
  const regainUs = regainOf(episode, causes, steps);
  return {
    faults: causes.map(({ id }) => id),
    path: pathOf(episode, record),
    effectUs,
    endsUs: {
      detect: detectUs,
      isolate: isolateUs,
      reform: reformUs,
      load: loadUs,
      first: firstUs,
      regain: regainUs,
      steady: steadyAt(regainUs, inputs),
    },
    stepsLost: [...lineage.droppedAtUs.values()].filter(
      (atUs) => atUs >= effectUs && atUs <= (regainUs ?? Number.POSITIVE_INFINITY),
    ).length,
    ranksRestarted: episode.ranksRestarted,
    ranksHit: hitBy(causes),
  };
}

/** Back to the step at which the fault was injected; the episode itself waits for the furthest one. */
function regainOf(
  episode: Episode,
  causes: readonly EffectiveInjection[],
  steps: StepIndex,
): number | null {
  const { firstUs } = episode;
  if (firstUs === null) return null;
  const injectedUs = causes.reduce(
    (least, cause) => Math.min(least, cause.injectedUs),
    episode.fromUs,
  );
  return steps.reachedAfter(firstUs - 1, steps.furthestAt(injectedUs)) ?? episode.regainUs;
}

function pathOf(episode: Episode, { plan }: RunRecord): RecoveryPath | null {
  if (episode.gaveUp) return "cleanFailure";
  if (episode.firstUs === null) return null;
  const hasMoved =
    episode.isolateUs !== null || episode.reformUs !== null || episode.loadUs !== null;
  if (episode.wasPaused) return "manual";
  const { dpBefore, dpAfter } = episode;
  if (dpBefore !== null && dpAfter !== null && dpAfter < dpBefore) return "shrink";
  const onFailure = plan.workload.kind === "training" ? plan.workload.policy.onFailure : null;
  if (onFailure === "spare" && episode.ranksLost.length > 0) return "spare";
  return hasMoved || episode.detects.length === 0 ? "checkpointRestart" : "none";
}

/** Nobody noticed: the job went on, perhaps after a while, perhaps never. */
function unnoticedRecovery(
  faults: readonly EffectiveInjection[],
  inputs: RecoveryInputs,
): Recovery {
  const { record, steps } = inputs;
  const effectUs = faults[0]?.effectUs ?? 0;
  const goal = steps.furthestAt(faults[0]?.injectedUs ?? 0);
  const firstUs = steps.reachedAfter(effectUs, 0) ?? endIfFinished(effectUs, record);
  const regainUs = steps.reachedAfter(effectUs, goal) ?? endIfFinished(effectUs, record);
  const endsUs: Record<RecoveryPhase, number | null> = {
    detect: null,
    isolate: null,
    reform: null,
    load: null,
    first: firstUs,
    regain: regainUs,
    steady: steadyAt(regainUs, inputs),
  };
  return {
    faults: faults.map(({ id }) => id),
    path: firstUs === null ? null : "none",
    effectUs,
    endsUs,
    stepsLost: 0,
    ranksRestarted: 0,
    ranksHit: hitBy(faults),
  };
}

/** A fault after the last step cannot keep a job from its next one. */
function endIfFinished(effectUs: number, record: RunRecord): number | null {
  const finish = record.events.find(({ kind }) => kind === "finish");
  return finish === undefined ? null : Math.max(effectUs, finish.atUs);
}

function steadyAt(
  regainUs: number | null,
  { throughput }: Pick<RecoveryInputs, "throughput">,
): number | null {
  return regainUs === null || throughput === null ? null : steadyFrom(throughput, regainUs);
}

function hitBy(faults: readonly EffectiveInjection[]): number {
  return new Set(faults.flatMap(({ ranks }) => ranks)).size;
}

/** Faults that were in force together. */
function overlapping(
  faults: readonly EffectiveInjection[],
): readonly (readonly EffectiveInjection[])[] {
  const groups: EffectiveInjection[][] = [];
  let untilUs = Number.NEGATIVE_INFINITY;
  for (const fault of faults.toSorted((a, b) => a.effectUs - b.effectUs)) {
    if (fault.effectUs > untilUs) groups.push([]);
    groups.at(-1)?.push(fault);
    untilUs = Math.max(untilUs, fault.revertedUs ?? fault.effectUs);
  }
  return groups;
}
