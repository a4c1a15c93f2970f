import type { SlurmJobEnd } from "../../../../platform/slurm/index.ts";
import type { Sign } from "../../cluster.ts";
import { harmlessExitCodes, harmlessSignals } from "../../harmless-ends.ts";
import { signsMax } from "../../sign-queue.ts";

/** States that end with a mistake, of the program or of its node. */
const crashStates: ReadonlySet<string> = new Set(["FAILED", "NODE_FAIL", "BOOT_FAIL", "REQUEUED"]);

/**
 * What ended jobs of users tell of their nodes: one sign for each node that took part, of the newest
 * jobs as many as are kept.
 *
 * @param crashes oldest first.
 */
export function jobSigns(crashes: readonly SlurmJobEnd[]): readonly Sign[] {
  const newestFirst: Sign[][] = [];
  let count = 0;
  for (const { nodes, user, name, id, endedAtMs: atMs } of crashes.toReversed()) {
    if (count >= signsMax) break;
    const job = `${user}/${name}-${id}`;
    newestFirst.push(nodes.map((node): Sign => ({ kind: "crash", atMs, node, job })));
    count += nodes.length;
  }
  return newestFirst.toReversed().flat().slice(-signsMax);
}

/**
 * Not a crash: to run out of memory or time that was asked for, to be cancelled or preempted; nor to be
 * put back into the queue without a mistake, as jobs do that go on where they were.
 */
export function isCrash({ state, exitCode = 0, exitSignal = 0 }: SlurmJobEnd): boolean {
  if (!crashStates.has(state)) return false;
  if (state === "NODE_FAIL" || state === "BOOT_FAIL") return true;
  if (exitSignal !== 0) return !harmlessSignals.has(exitSignal);
  return !harmlessExitCodes.has(exitCode);
}
