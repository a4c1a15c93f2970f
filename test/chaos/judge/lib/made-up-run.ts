import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import type { InjectionRecord, JobEvent, RunRecord } from "../../../../src/chaos/record/index.ts";
import { killRank1, madeUpPlan, secondUs } from "./made-up-plan.ts";

type Without<T> = T extends unknown ? Omit<T, "atUs"> : never;

/** Writes the events of a run by hand, in seconds. */
export class Script {
  readonly events: JobEvent[] = [];
  #atS = 0;
  #generation = 0;
  #cursor = new Map<number, number>([[0, 0]]);

  at(atS: number): this {
    this.#atS = atS;
    return this;
  }

  add(event: Without<JobEvent>): this {
    this.events.push({ atUs: this.#atS * secondUs, ...event });
    return this;
  }

  generation(ranks = 4, dp = ranks): this {
    this.#generation++;
    return this.add({ kind: "generation", generation: this.#generation, ranks, dp, reason: "" });
  }

  /** Steps that take a second each by default; 8 samples in each, the loss follows from its number. */
  steps(
    from: number,
    to: number,
    options: { readonly everyS?: number; readonly lossOf?: (step: number) => number } = {},
  ): this {
    const { everyS = 1, lossOf = (step) => 1 / step } = options;
    for (let step = from; step <= to; step++) {
      this.#atS += everyS;
      const begin = this.#cursor.get(step - 1) ?? 0;
      this.#cursor.set(step, begin + 8);
      this.add({
        kind: "step",
        generation: this.#generation,
        step,
        units: 8,
        samples: [begin, begin + 8],
        loss: lossOf(step),
      });
    }
    return this;
  }

  /** From here on the data begin so many samples later. */
  skipSamples(step: number, count: number): this {
    this.#cursor.set(step, (this.#cursor.get(step) ?? 0) + count);
    return this;
  }

  save(step: number, tookS = 0): this {
    const tag = tagOf(step);
    this.add({ kind: "save", phase: "begun", tag, step });
    this.#atS += tookS;
    return this.add({ kind: "save", phase: "committed", tag, step });
  }

  detect(ranks: readonly number[], by: "exit" | "heartbeat" | "comparison" = "heartbeat"): this {
    return this.add({ kind: "detect", by, ranks, reason: `rank ${ranks.join(", ")} was lost` });
  }

  restore(step: number, tookS = 0): this {
    const tag = step === 0 ? null : tagOf(step);
    this.add({ kind: "restore", phase: "begun", tag, step });
    this.#atS += tookS;
    return this.add({ kind: "restore", phase: "done", tag, step });
  }

  finish(digest = "sha256:aaaa"): this {
    return this.add({ kind: "finish", stateDigest: digest });
  }

  giveUp(reason: string): this {
    return this.add({ kind: "give-up", reason });
  }
}

export function tagOf(step: number): string {
  return `step-${String(step).padStart(6, "0")}`;
}

export function recordOf(script: Script, changes: Partial<RunRecord> = {}): RunRecord {
  const { events } = script;
  const last = events.at(-1);
  const end = last?.kind === "finish" ? "finished" : last?.kind === "give-up" ? "gave-up" : "cut";
  return {
    world: "sim",
    provenance: "simulated",
    plan: madeUpPlan(),
    events,
    injections: [],
    residualFaults: [],
    end,
    endUs: last?.atUs ?? 0,
    stateDigest: last?.kind === "finish" ? last.stateDigest : null,
    traceHash: "0123456789abcdef",
    probes: [],
    notes: [],
    ...changes,
  };
}

export const killed: InjectionRecord = {
  id: killRank1.id,
  fault: "kill_device",
  target: "rank 1",
  injectedUs: 13 * secondUs,
  effectUs: 13.5 * secondUs,
  effect: "the process is gone",
  revertedUs: null,
  ranks: [1],
};

/** 24 steps of a second, saves at 8, 16 and 24 that take a second each, a start of two seconds. */
export function cleanRun(plan: ChaosPlan = madeUpPlan()): RunRecord {
  const script = new Script()
    .at(2)
    .generation()
    .steps(1, 8)
    .save(8, 1)
    .steps(9, 16)
    .save(16, 1)
    .steps(17, 24)
    .save(24, 1)
    .finish();
  return recordOf(script, { plan: { ...plan, faults: [] } });
}

/**
 * The same job, and rank 1 dies in step 11: seen 1.5 s later, all stopped at 16, again together at 18,
 * loaded at 19 from step 8. The first step again ends at 20; it is back at step 10 at 21.
 */
export function killedScript(): Script {
  return new Script()
    .at(2)
    .generation()
    .steps(1, 8)
    .save(8, 1)
    .steps(9, 10)
    .at(15)
    .detect([1])
    .at(16)
    .add({ kind: "isolate", ranks: [1] })
    .at(18)
    .generation()
    .restore(8, 1)
    .steps(9, 16)
    .save(16, 1)
    .steps(17, 24)
    .save(24, 1);
}

export function killedRun(changes: Partial<RunRecord> = {}): RunRecord {
  return recordOf(killedScript().finish(), { injections: [killed], ...changes });
}
