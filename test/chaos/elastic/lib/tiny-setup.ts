import type { FailurePolicy, PreemptAction } from "../../../../src/chaos/plan/index.ts";
import type { Dice } from "./tiny-queue.ts";
import type { TinySetup } from "./tiny-world.ts";

export interface SetupChoices {
  readonly onFailure?: FailurePolicy;
  readonly dp?: number;
  readonly pp?: number;
  readonly steps?: number;
  readonly spareNodes?: number;
  readonly restartsMax?: number;
  readonly resumeAfterUs?: number | null;
  readonly action?: PreemptAction;
  readonly compareEverySteps?: number;
  readonly saveEverySteps?: number;
  readonly asynchronous?: boolean;
  readonly keep?: number;
  readonly rendezvousUs?: number;
}

const slotsPerNode = 2;

/** A small job with limits that fit the pace of the tiny world. */
export function setupOf(choices: SetupChoices = {}): TinySetup {
  const shape = { dp: choices.dp ?? 2, tp: 1, pp: choices.pp ?? 1 };
  const ranks = shape.dp * shape.pp;
  const nodes = Math.ceil(ranks / slotsPerNode);
  const spares = (choices.spareNodes ?? 0) * slotsPerNode;
  const steps = choices.steps ?? 12;
  return {
    coordinator: {
      shape,
      steps,
      batch: 12,
      microBatches: 1,
      keep: choices.keep ?? 2,
      policy: {
        onFailure: choices.onFailure ?? "drainThenResume",
        restartsMax: choices.restartsMax ?? 100,
        resumeAfterUs: choices.resumeAfterUs === undefined ? 5000 : choices.resumeAfterUs,
        onPreempt: { action: choices.action ?? "checkpointThenExit", graceUs: 30_000 },
        compareEverySteps: choices.compareEverySteps ?? 0,
      },
      timeouts: {
        heartbeatEveryUs: 2000,
        heartbeatUs: 12_000,
        collectiveUs: 15_000,
        rendezvousUs: choices.rendezvousUs ?? 400_000,
        saveUs: 8000,
        loadUs: 20_000,
        drainUs: 10_000,
      },
      progressUs: 45_000,
      slots: nodes * slotsPerNode + spares,
      slotsPerNode,
      spares: Array.from({ length: spares }, (_, at) => nodes * slotsPerNode + at),
    },
    worker: {
      steps,
      saveEverySteps: choices.saveEverySteps ?? 4,
      asynchronousSaves: choices.asynchronous ?? false,
      compareEverySteps: choices.compareEverySteps ?? 0,
    },
  };
}

/** Any setup. */
export function anySetup(dice: Dice): TinySetup {
  return setupOf({
    onFailure: dice.pick(["failFast", "drainThenResume", "pauseForManual", "shrink", "spare"]),
    dp: dice.between(1, 4),
    pp: dice.between(1, 2),
    steps: dice.pick([1, 7, 16, 24]),
    spareNodes: dice.int(3),
    restartsMax: dice.pick([0, 1, 3, 100, 100, 100]),
    action: dice.pick(["checkpointThenExit", "partialFlushThenExit", "failFast"]),
    compareEverySteps: dice.pick([0, 1, 3]),
    saveEverySteps: dice.pick([0, 1, 4]),
    asynchronous: dice.chance(0.5),
    keep: dice.between(1, 3),
    rendezvousUs: dice.pick([30_000, 400_000]),
  });
}
