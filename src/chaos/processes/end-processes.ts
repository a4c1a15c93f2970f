import { type Clock, sleep } from "../../platform/time/index.ts";
import { processesOfRun, signalIdentity } from "./processes.ts";

const roundsMax = 250;
const roundMs = 20;

/**
 * Ends everything that was started for a run. Some may have left the group of whoever started them:
 * launchers give workers sessions of their own.
 *
 * @throws when one of them does not end
 */
export async function endProcesses(run: string, clock: Clock): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const left = await processesOfRun(run);
    if (left.length === 0) return;
    for (const process of left) await signalIdentity(process, "SIGKILL");
    await sleep(clock, roundMs);
  }
  throw new Error(`processes of run ${run} do not end`);
}
