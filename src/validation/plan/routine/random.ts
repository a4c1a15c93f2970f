import type { Rng } from "../../../platform/rng/index.ts";
import { freeNames } from "./free-names.ts";
import type { Routine } from "./routine.ts";

/** Free nodes and checks in random order, whatever was tested before: what others must beat. */
export function createRandomRoutine(rng: Rng): Routine {
  return {
    observe: () => {},
    observeRun: () => {},
    proposeTo: (draft) => {
      const { latest, input } = draft;
      const pairs = freeNames(draft).flatMap((node) =>
        latest.checks.map((check) => ({ node, check })),
      );
      // Drawn by the time, so that a new planner draws the same.
      const stream = rng.stream("plan", "random", input.nowMs);
      const reason = () => `drawn from ${pairs.length} that are free`;
      for (const { node, check } of stream.shuffle(pairs)) {
        draft.propose({ node, check, purpose: "routine", reason });
      }
    },
  };
}
