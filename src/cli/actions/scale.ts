import type { Action } from "../invocation.ts";

/** `tessera scale`: how work scales with devices, by the model, by a table of runs, or by real ranks. */
export const run: Action = async (invocation) => {
  if (invocation.options["measured"] === true) {
    const { runMeasured } = await import("../scale/run-measured.ts");
    return runMeasured(invocation);
  }
  const { runStudy } = await import("../scale/run-study.ts");
  return runStudy(invocation);
};
