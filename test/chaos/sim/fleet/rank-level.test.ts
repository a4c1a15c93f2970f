import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import {
  type FleetJob,
  listedFeed,
  simulateFleetJob,
} from "../../../../src/chaos/sim/fleet/index.ts";
import { faultOf, ofKind, planOf, runPlan, workload } from "../job/support/plans.ts";
import { incident, llama3, smallJob } from "./lib.ts";

const steps = 310;
const everySteps = 20;

/** The small job with ranks, messages and files of its own; workers are killed at these times. */
function withRanks(killsUs: readonly number[], asynchronous = false) {
  return planOf({
    workload: {
      steps,
      numerics: "timing",
      checkpoint: { everySteps, keep: 3, asynchronous },
      policy: { ...workload.policy, restartsMax: 50 },
      pace: { ...workload.pace, jitter: 0 },
    },
    faults: killsUs.map((atUs, index) =>
      faultOf("restart_worker", {
        id: `kill-${index}`,
        at: { kind: "time", atUs },
        targets: [{ kind: "rank", rank: index % 4 }],
        forUs: null,
      }),
    ),
  });
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** When training began: a step before the first one was done. */
function beginUs(record: RunRecord, stepUs: number): number {
  return (ofKind(record, "step")[0]?.atUs ?? Number.NaN) - stepUs;
}

/** Time spent on steps that stayed: since the step, save or restore before each. */
function productiveUs({ events }: RunRecord, asynchronous: boolean): number {
  const took = new Map<number, number>();
  let fromUs = 0;
  for (const event of events) {
    if (event.kind === "step") took.set(event.step, event.atUs - fromUs);
    if (event.kind === "restore" && event.phase === "done") {
      for (const step of took.keys()) if (step > event.step) took.delete(step);
    }
    const blocks = event.kind === "save" && event.phase === "committed" && !asynchronous;
    const isDone = event.kind === "restore" && event.phase === "done";
    if (event.kind === "step" || event.kind === "generation" || blocks || isDone) {
      fromUs = event.atUs;
    }
  }
  return [...took.values()].reduce((sum, us) => sum + us, 0);
}

/** How long things take among the ranks, from a run with a single kill. */
async function paceOfRanks(asynchronous: boolean): Promise<FleetJob> {
  const record = await runPlan(withRanks([10_050_000], asynchronous));
  const stepTimes = ofKind(record, "step");
  const stepUs = median(
    stepTimes.slice(1).map(({ atUs }, index) => atUs - (stepTimes[index]?.atUs ?? 0)),
  );
  const saves = ofKind(record, "save");
  const saveUs = median(
    saves
      .filter(({ phase }) => phase === "committed")
      .map(({ atUs, tag }) => atUs - (saves.find((one) => one.tag === tag)?.atUs ?? 0)),
  );
  const detectedUs = ofKind(record, "detect")[0]?.atUs ?? Number.NaN;
  const restored = ofKind(record, "restore").findLast(({ phase }) => phase === "done");
  return {
    ...smallJob,
    steps,
    policy: "drainThenResume",
    stepUs,
    checkpoint: {
      everySteps,
      keep: 3,
      blockingUs: asynchronous ? 0 : saveUs,
      writeUs: saveUs,
    },
    detectUs: { crash: detectedUs - (record.injections[0]?.injectedUs ?? Number.NaN), hang: 0 },
    restartUs: (restored?.atUs ?? Number.NaN) - detectedUs,
  };
}

describe("counted steps beside simulated ranks", () => {
  it.each([
    ["that stop for a save", false],
    ["that go on while a save is written", true],
  ])("give the same ETTR for the same kills: ranks %s", async (_, asynchronous) => {
    const job = await paceOfRanks(asynchronous);
    const killsUs = [2_340_000, 7_000_000, 9_100_000, 15_570_000, 26_020_000, 33_333_333];
    const plan = withRanks(killsUs, asynchronous);
    const record = await runPlan(plan);
    const fromUs = beginUs(record, job.stepUs);
    const incidents = record.injections.map(({ injectedUs }, node) => ({
      ...incident(0, node % 4),
      atUs: (injectedUs ?? Number.NaN) - fromUs,
    }));
    const counted = simulateFleetJob({
      model: llama3,
      job,
      seed: "ranks",
      horizonUs: 600_000_000,
      feed: listedFeed({ incidents }),
    });
    const wallUs = record.endUs - fromUs;
    expect(record.end).toBe("finished");
    expect(counted).toMatchObject({ end: "finished", failures: killsUs.length, steps });
    const ettr = productiveUs(record, asynchronous) / wallUs;
    expect(Math.abs(counted.ettr / ettr - 1)).toBeLessThan(0.01);
    expect(Math.abs(counted.wallUs / wallUs - 1)).toBeLessThan(0.001);
    // They would not agree by chance: an undisturbed job has another one.
    expect(ettr).toBeLessThan(0.9);
  });
});
