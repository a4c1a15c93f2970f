import assert from "node:assert/strict";
import type { StepLinks } from "./step-links.ts";

const alone = { index: 0, size: 1 };

/** The links of a job's only rank. */
export const aloneLinks: StepLinks = {
  place: { dp: alone, tp: alone, pp: alone },
  allReduce: async (tensor) => tensor,
  send: () => Promise.reject(nobody()),
  recv: () => Promise.reject(nobody()),
  computed: (_, tensor) => tensor,
  shared: (_what, _inputs, make) => make(),
};

function nobody(): Error {
  return new assert.AssertionError({ message: "a rank alone has no other stage" });
}
