import {
  type Communication,
  communicationOf,
  type Knob,
  knobs,
  type StepQuery,
  stepTime,
  topologyKnobs,
} from "../step/index.ts";
import { bottleneckOf } from "./bottleneck.ts";
import { shapley } from "./shapley.ts";
import type { Attribution } from "./types.ts";

/**
 * Where the time of a step goes, by replaying the model with each set of causes taken away: no latency,
 * links or network without limit, no bubble, no skew, no checkpoint, kernels without overhead, a batch
 * that divides, nothing serial. What overlaps is shared out by Shapley, so that the parts add up.
 */
export function attribute(query: Omit<StepQuery, "without">): Attribution {
  const replay = createReplay(query);
  const step = replay(0);
  const all = 2 ** knobs.length - 1;
  const idealS = replay(all).timeS;
  const lostS = step.timeS - idealS;
  const parts = shapley(knobs.length, (taken) => replay(taken).timeS);
  const causesS = byKnob((at) => parts[at] ?? 0);
  const aloneS = byKnob((at) => step.timeS - replay(1 << at).timeS);
  const { devices, topology } = query;
  const bottleneck = bottleneckOf(causesS, { lostS, timeS: step.timeS, topology });
  return { devices, step, idealS, lostS, causesS, aloneS, bottleneck };
}

/** Times the step without a set of causes. Collectives only depend on what the system loses. */
function createReplay(query: Omit<StepQuery, "without">) {
  const known = new Map<string, Communication>();
  return (taken: number) => {
    const without = new Set(knobs.filter((_, at) => (taken & (1 << at)) !== 0));
    const key = topologyKnobs.map((knob) => (without.has(knob) ? "1" : "0")).join("");
    const replayed: StepQuery = { ...query, without };
    const communication = known.get(key) ?? communicationOf(replayed);
    known.set(key, communication);
    return stepTime(replayed, communication);
  };
}

function byKnob(of: (at: number) => number): Readonly<Record<Knob, number>> {
  return Object.fromEntries(knobs.map((knob, at) => [knob, of(at)])) as Record<Knob, number>;
}
