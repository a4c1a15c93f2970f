import type { ChaosPlan } from "../../../src/chaos/plan/index.ts";
import type { JobEvent, RunRecord } from "../../../src/chaos/record/index.ts";
import type { World, WorldRunOptions } from "../../../src/chaos/world.ts";

export interface FakeWorldOptions {
  readonly refusals?: readonly string[];
  /** Changes the record of a run with faults. */
  readonly change?: (record: RunRecord) => RunRecord;
  /** Happens while the plan runs; the run ends when it settles, or when the signal aborts. */
  readonly during?: (plan: ChaosPlan, options: WorldRunOptions) => Promise<void>;
}

export interface FakeWorld extends World {
  /** The plans that were run, in order. */
  readonly plans: readonly ChaosPlan[];
}

/** A world without machines: every fault takes effect at its step and the job rides it out. */
export function fakeWorld(options: FakeWorldOptions = {}): FakeWorld {
  const plans: ChaosPlan[] = [];
  return {
    name: "sim",
    plans,
    refusals: () => options.refusals ?? [],
    run: async (plan, runOptions) => {
      plans.push(plan);
      const record = recordOf(plan);
      for (const event of record.events) runOptions.onEvent?.(event);
      if (plan.faults.length === 0) return record;
      await options.during?.(plan, runOptions);
      const done = options.change?.(record) ?? record;
      return runOptions.signal.aborted ? { ...done, end: "aborted", stateDigest: null } : done;
    },
  };
}

const stepUs = 1000;

function recordOf(plan: ChaosPlan): RunRecord {
  const { workload } = plan;
  const steps = workload.kind === "training" ? workload.steps : 0;
  const batch = workload.kind === "training" ? workload.job.batch : 0;
  const events: JobEvent[] = [
    { kind: "generation", atUs: 0, generation: 1, ranks: 4, dp: 4, reason: "the job starts" },
    ...Array.from(
      { length: steps },
      (_, at): JobEvent => ({
        kind: "step",
        atUs: (at + 1) * stepUs,
        generation: 1,
        step: at + 1,
        units: batch,
        samples: [at * batch, (at + 1) * batch],
        loss: 1 / (at + 1),
      }),
    ),
    { kind: "finish", atUs: (steps + 1) * stepUs, stateDigest: "sha256:aa" },
  ];
  return {
    world: "sim",
    provenance: "simulated",
    plan,
    events,
    injections: plan.faults.map(({ id, fault, trigger }) => {
      const atUs = trigger.kind === "step" ? trigger.step * stepUs : 0;
      return {
        id,
        fault,
        target: "rank 1",
        injectedUs: atUs,
        effectUs: atUs + 1,
        effect: "seen",
        revertedUs: atUs + 2,
        ranks: [1],
      };
    }),
    residualFaults: [],
    end: "finished",
    endUs: (steps + 1) * stepUs,
    stateDigest: "sha256:aa",
    traceHash: "0123456789abcdef",
    probes: [],
    notes: [],
  };
}
