import assert from "node:assert/strict";
import type { NumericInputs, NumericStep, StateRef } from "../../numerics/index.ts";
import type { Crew } from "./crew.ts";
import type { JobContext } from "./job-context.ts";

/** A replica that lags behind by more steps is not waited for by anybody. */
const newsKept = 64;

/** What the replicas of a crew hold, step by step. */
export class StepValues {
  readonly #context: JobContext;
  #pending: Promise<void> | null = null;

  constructor(context: JobContext) {
    this.#context = context;
  }

  /** Numbers that are being computed while the engine is paused. */
  takePending(): Promise<void> | null {
    const pending = this.#pending;
    this.#pending = null;
    return pending;
  }

  /** Everybody has come to the end of a step: what it gave is needed when they are answered. */
  conclude(crew: Crew): void {
    const { numerics, engine } = this.#context;
    const isWatched = crew.corruptions.size > 0;
    const inputs = inputsOf(crew);
    const found = numerics.step(inputs);
    if (!(found instanceof Promise) && !isWatched) {
      this.#take(crew, found);
      return;
    }
    const clean = isWatched ? numerics.step(cleanOf(inputs)) : null;
    assert(this.#pending === null, "one step is computed at a time");
    this.#pending = Promise.all([found, clean]).then(([step, without]) => {
      if (without !== null) this.#look(crew, step, without);
      this.#take(crew, step);
    });
    engine.pause();
  }

  /** Who holds something else than most. */
  compare(crew: Crew): void {
    const { numerics } = this.#context;
    const { states } = crew;
    crew.odd = null;
    if (states.every((state) => state === states[0])) return;
    const digests = states.map((state) => numerics.digest(state));
    const counts = new Map<string, number>();
    for (const digest of digests) counts.set(digest, (counts.get(digest) ?? 0) + 1);
    if (counts.size === 1) return;
    const most = Math.max(...counts.values());
    const isTied = [...counts.values()].filter((count) => count === most).length > 1;
    crew.odd = isTied
      ? []
      : [...crew.members.keys()].filter(
          (rank) => counts.get(digests[crew.replicaOf(rank)] ?? "") !== most,
        );
  }

  digestOf(crew: Crew, rank: number): string {
    return this.#context.numerics.digest(stateOf(crew, rank));
  }

  #take(crew: Crew, { states, loss, gradientNorm, samples }: NumericStep): void {
    const { workload } = this.#context;
    crew.states = [...states];
    crew.step++;
    crew.ignored.clear();
    crew.corruptions.clear();
    const isScaled = workload.job.lossScale !== undefined;
    const isSound = Number.isFinite(loss) && (isScaled || Number.isFinite(gradientNorm));
    if (!isSound) crew.badStep = crew.step;
    crew.latest = { step: crew.step, units: workload.job.batch, samples, loss };
    crew.news.set(crew.step, crew.latest);
    crew.news.delete(crew.step - newsKept);
  }

  /** Whether wrong bits in a sum changed anything. */
  #look(crew: Crew, step: NumericStep, clean: NumericStep): void {
    const { numerics, effects } = this.#context;
    const [own, without] = [step.states[0], clean.states[0]];
    if (own === undefined || without === undefined) return;
    if (numerics.digest(own) === numerics.digest(without)) return;
    for (const { fault } of crew.corruptions.values()) {
      effects.sawFault(fault, "values", `step ${crew.step + 1} gave another state than without it`);
    }
  }
}

export function stateOf(crew: Crew, rank: number): StateRef {
  const state = crew.states[crew.replicaOf(rank)];
  assert(state !== undefined, "who trains has a state");
  return state;
}

function inputsOf(crew: Crew): NumericInputs {
  const { states, ignored, corruptions } = crew;
  if (ignored.size === 0 && corruptions.size === 0) return { replicas: soundReplicas(states) };
  return {
    replicas: states.map((state, replica) => {
      const corruption = corruptions.get(replica)?.bits;
      const contributes = !ignored.has(replica);
      return corruption === undefined ? { state, contributes } : { state, contributes, corruption };
    }),
  };
}

/** In most steps all replicas hold the same state: one object says so for all of them. */
function soundReplicas(states: readonly StateRef[]): NumericInputs["replicas"] {
  const [first] = states;
  for (let replica = 1; replica < states.length; replica++) {
    if (states[replica] !== first) return states.map((state) => ({ state, contributes: true }));
  }
  return first === undefined ? [] : Array(states.length).fill({ state: first, contributes: true });
}

function cleanOf({ replicas }: NumericInputs): NumericInputs {
  return { replicas: replicas.map(({ state, contributes }) => ({ state, contributes })) };
}
