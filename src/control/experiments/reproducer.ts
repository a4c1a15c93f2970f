import type { ReproducerView } from "../api/experiments.ts";
import type { Made } from "./child/orders.ts";

/** While somebody looks for it. */
export function reproducerUnderWay(runs: number): ReproducerView {
  return {
    state: "running",
    reason: null,
    runs,
    faultsBefore: null,
    faultsAfter: null,
    text: null,
  };
}

const whyNone: Readonly<Record<Exclude<Made["outcome"], "minimised">, string>> = {
  passes: "it did not fail this time: there is nothing to make smaller",
  flaky: "it failed once and not, or otherwise, again: nothing is proven",
};

/** What was found, or why nothing was. */
export function reproducerEnd(about: {
  readonly made: Made | undefined;
  readonly runs: number;
  readonly problem: string;
}): ReproducerView {
  const { made, runs, problem } = about;
  if (made === undefined) {
    return { ...reproducerUnderWay(runs), state: "failed", reason: problem };
  }
  const { faultsBefore, faultsAfter, text } = made;
  if (made.outcome !== "minimised") {
    const reason = whyNone[made.outcome];
    return {
      state: "failed",
      reason,
      runs: made.runs,
      faultsBefore,
      faultsAfter: null,
      text: null,
    };
  }
  const reason = made.isMinimal
    ? "without any one of its faults it does not fail this way"
    : "the runs were used up before it was clear that every fault is needed";
  return { state: "done", reason, runs: made.runs, faultsBefore, faultsAfter, text };
}
