import { TesseraError } from "../../platform/errors/index.ts";
import { readRunEnvironment } from "../check/run-environment.ts";
import type { Action } from "../invocation.ts";

/** `tessera agent run-check`: the job of a run, and nothing else. */
export const run: Action = async (invocation) => {
  const job = readRunEnvironment(invocation.io.env, {});
  if (job === undefined) {
    throw new TesseraError("E_RUN_ENVIRONMENT", { problem: "TESSERA_RUN_ID is not set" });
  }
  const { runJob } = await import("../check/run-job.ts");
  return runJob(invocation, { run: job, flags: { isGate: false } });
};
