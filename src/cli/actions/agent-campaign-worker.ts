import { parentPort } from "node:worker_threads";
import { exitCodes } from "../../platform/errors/index.ts";
import { openTrial } from "../chaos/campaign/open-workers.ts";
import type { Action } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

/** `tessera agent campaign-worker`: runs of a campaign, in a thread of the program that asks for them. */
export const run: Action = async ({ signal }) => {
  if (parentPort === null) {
    throw usageError("agent campaign-worker", "Only Tessera itself starts workers of a campaign");
  }
  const { serveThread } = await import("../../chaos/campaign/index.ts");
  await serveThread(parentPort, await openTrial(), signal);
  return exitCodes.good;
};
