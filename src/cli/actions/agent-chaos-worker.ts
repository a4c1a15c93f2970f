import { type HostWorkerStart, runChaosWorker, startBytesMax } from "../../chaos/host/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { readOrder } from "../agent/read-order.ts";
import { strayWorker } from "../agent/stray-worker.ts";
import type { Action } from "../invocation.ts";

/** `tessera agent chaos-worker`: one worker of the host world, started by its runner, which says on stdin what to do. */
export const run: Action = async ({ clock, signal }) => {
  const start = await readOrder(process.stdin, {
    bytesMax: startBytesMax,
    // From the process that started this one, and of the same version.
    parse: (value) => value as HostWorkerStart,
    broken: strayWorker,
  });
  const code = await runChaosWorker({ start, clock, terminated: signal });
  return code === 0 ? exitCodes.good : exitCodes.failed;
};
