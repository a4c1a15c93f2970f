import assert from "node:assert/strict";

/** A collective inside one domain, as a form sees it. */
export interface Sample {
  /** Devices of the group. */
  readonly devices: number;
  /** S of nccl-tests. */
  readonly bytes: number;
}

/**
 * One way a collective spends its time, as a sum of terms that are each at least 0 and never shrink
 * with bytes. A time is the sum of term times weight; the weights are what is fitted, and since none
 * is negative, every time is monotone in bytes.
 */
export interface Form {
  /** What each weight means, in the order of the terms. */
  readonly parameters: readonly string[];
  terms(sample: Sample): readonly number[];
}

/** Weights of a form by the name of the parameter. Names that are absent weigh 0. */
export type Weights = Readonly<Record<string, number>>;

/** A form with its weights: the time of a sample in microseconds. */
export type TimeOf = (sample: Sample) => number;

/** Puts weights into a form, once for all its samples. */
export function weigh(form: Form, weights: Weights): TimeOf {
  const factors = form.parameters.map((parameter) => weights[parameter] ?? 0);
  assert(
    factors.every((factor) => factor >= 0),
    "no weight is negative",
  );
  return (sample) => {
    const terms = form.terms(sample);
    let timeUs = 0;
    for (let index = 0; index < factors.length; index++) {
      timeUs += (factors[index] ?? 0) * (terms[index] ?? 0);
    }
    return timeUs;
  };
}
