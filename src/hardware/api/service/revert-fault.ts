import { mapConcurrent } from "../../../platform/concurrency/index.ts";
import { isTesseraError } from "../../../platform/errors/index.ts";
import { withDeadline } from "../../../platform/time/index.ts";
import { type HardwareFault, isLive } from "../../objects/index.ts";
import type { FaultApiPorts } from "../ports.ts";

/** A control block of a dead agent is over with its lease; nobody waits for that at the phone. */
const waitMs = 25_000;
const revertsAtOnce = 16;

type RevertPorts = Pick<FaultApiPorts, "book" | "reaper" | "clock">;

/** Takes a fault back and waits a while for it; the answer says how far it came. */
export async function revertFault(
  { book, reaper, clock }: RevertPorts,
  fault: HardwareFault,
): Promise<HardwareFault> {
  const { name = "" } = fault.metadata;
  if (!isLive(fault)) return fault;
  try {
    return await withDeadline({ clock, timeoutMs: waitMs, what: `The end of fault ${name}` }, () =>
      reaper.revert(name, "requested"),
    );
  } catch (error) {
    if (isTesseraError(error) && error.code === "E_TIMEOUT") return book.get(name);
    throw error;
  }
}

/** Takes several faults back. One that fails does not keep the others: it is told at the end. */
export async function revertFaults(
  ports: RevertPorts,
  faults: readonly HardwareFault[],
): Promise<readonly HardwareFault[]> {
  const results = await mapConcurrent(faults, revertsAtOnce, async (fault) => {
    try {
      return { fault: await revertFault(ports, fault) };
    } catch (error) {
      return { error };
    }
  });
  const [failed] = results.filter((result) => "error" in result);
  if (failed !== undefined) throw failed.error;
  return results.flatMap((result) => ("fault" in result ? [result.fault] : []));
}
