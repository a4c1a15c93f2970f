import type { Action } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

/** `tessera validate`: the loop, one pass of it, or what it would do. */
export const run: Action = async (invocation) => {
  const { once, dryRun, cluster } = invocation.options;
  if (once === true && dryRun === true) {
    throw usageError("validate", "`--once` and `--dry-run` exclude each other");
  }
  if (dryRun === true) {
    const { run: plan } = await import("./plan.ts");
    return await plan({ ...invocation, options: cluster === undefined ? {} : { cluster } });
  }
  if (once !== true && invocation.globals.junit !== undefined) {
    throw usageError("validate", "`--junit` needs a report, which only `--once` makes");
  }
  const { openValidation } = await import("../validate/open-validation.ts");
  const validation = await openValidation(invocation);
  try {
    const { runForever, runOnce } = await import("../validate/run-loops.ts");
    return await (once === true ? runOnce : runForever)(invocation, validation);
  } finally {
    await validation.close();
  }
};
