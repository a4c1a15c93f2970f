import { randomSeed } from "../../platform/rng/index.ts";
import type { ReproducerView } from "../api/experiments.ts";
import type { Made } from "./child/orders.ts";

/** How one search stands. A search that was stopped may still be at its end when the next one begins. */
export interface SearchChange {
  /** Which search: letters and digits, as `newSearch` makes them. */
  readonly search: string;
  readonly view: ReproducerView;
}

/** A name for one search among those of an experiment. */
export function newSearch(): string {
  return randomSeed()
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, "");
}

/** How a search stands, as it is kept: while it goes on with its name, right where `searchingAs` looks. */
export function keptSearch({ search, view }: SearchChange): string {
  const { state, ...rest } = view;
  return JSON.stringify(state === "running" ? { state, search, ...rest } : view);
}

/** What is kept of a search that goes on, for LIKE: of this one, or of any. */
export function searchingAs(search?: string): string {
  const named = search === undefined ? "" : `,"search":"${search}"`;
  return `{"state":"running"${named}%`;
}

/** How a search stands, of what is kept. */
export function shownSearch(kept: string): ReproducerView {
  const { search: _search, ...view } = JSON.parse(kept) as ReproducerView & { search?: string };
  return view;
}

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
