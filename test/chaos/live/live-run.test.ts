import { expect, it } from "vitest";
import { type LiveJob, LiveRun } from "../../../src/chaos/live/index.ts";
import type { ChaosPlan, PlannedFault } from "../../../src/chaos/plan/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";

const fault: PlannedFault = {
  id: "f-1",
  fault: "drain_node",
  targets: [],
  params: {},
  trigger: { kind: "time", atUs: 0 },
  durationUs: null,
};

async function runOf(more: Partial<LiveJob>, faults: readonly PlannedFault[] = []) {
  const clock = new VirtualClock();
  const whole = { ready: 1, isWhole: true, text: "it runs" };
  const job: LiveJob = {
    world: "slurm",
    atStart: "at the start",
    hasProgress: false,
    digest: null,
    deedsOf: async () => [],
    targetText: () => "g0",
    first: () => whole,
    look: async () => true,
    isBack: () => true,
    marked: async () => [],
    aboutSteps: () => "a look is a step",
    ...more,
  };
  const carrying = new LiveRun({
    plan: { faults, limits: { durationUs: 60_000_000 } } as unknown as ChaosPlan,
    job,
    clock,
    ledger: { renew: async () => {}, revertAll: async () => [] } as never,
    undo: async () => {},
    options: { signal: new AbortController().signal },
    notes: [],
  }).carryOut();
  await clock.advance(120_000);
  return carrying;
}

it("is over when a job is seen to be back, and not by looks that saw nothing", async () => {
  expect((await runOf({})).end).toBe("finished");
  expect((await runOf({ look: async () => false })).end).toBe("cut");
});

it("waits for three such looks in a row", async () => {
  let looks = 0;
  expect((await runOf({ look: async () => ++looks % 3 !== 0 })).end).toBe("cut");
  expect(looks).toBeGreaterThan(10);
});

it("breaks nothing at a moment that nobody can wait for", async () => {
  let asked = 0;
  const deedsOf = async () => {
    asked++;
    return [];
  };
  const atStep = { ...fault, trigger: { kind: "step", step: 5 } } as unknown as PlannedFault;
  const { notes } = await runOf({ deedsOf }, [atStep]);
  expect(notes.join()).toContain("there is no step to wait for in world slurm");
  expect(asked).toBe(0);
  await runOf({ deedsOf }, [fault]);
  expect(asked).toBe(1);
});
