import type { FaultView } from "../../hardware/api/index.ts";
import type { FaultClient } from "../../hardware/client/index.ts";
import { isTesseraError } from "../../platform/errors/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";

/**
 * Renews the faults of a run until the signal aborts, then takes them back. When they have ended by
 * themselves, only waits for that.
 *
 * @throws TesseraError when the lease cannot be renewed: the faults then end with it
 */
export async function holdRun(
  client: Pick<FaultClient, "renew" | "revertRun" | "list">,
  options: {
    readonly run: string;
    readonly leaseSeconds: number;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): Promise<readonly FaultView[]> {
  const { run, leaseSeconds, clock, signal } = options;
  const everyMs = (leaseSeconds * 1000) / 3;
  try {
    for (;;) {
      await sleep(clock, everyMs, signal);
      await client.renew(run, { signal });
    }
  } catch (error) {
    const haveEnded = isTesseraError(error) && error.code === "E_HW_REFUSED";
    if (!signal.aborted && !haveEnded) throw error;
  }
  // Not with the signal: it has aborted, and this is what it asked for.
  const ended = await client.revertRun(run);
  return ended.length > 0 ? ended : client.list({ run });
}
