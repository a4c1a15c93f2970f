import { mapConcurrent } from "../../../platform/concurrency/index.ts";
import { isTesseraError, messageOf } from "../../../platform/errors/index.ts";
import { withDeadline } from "../../../platform/time/index.ts";
import { type HardwareFault, isLive } from "../../objects/index.ts";
import type { FaultApiPorts } from "../ports.ts";

/** A control block of a dead agent is over with its lease; nobody waits for that at the phone. */
const waitMs = 25_000;
const revertsAtOnce = 16;

interface RevertPorts extends Pick<FaultApiPorts, "reaper" | "clock"> {
  readonly book: Pick<FaultApiPorts["book"], "end" | "get">;
}

/** Takes a fault back and waits a while for it; the answer says how far it came. */
export async function revertFault(
  { book, reaper, clock }: RevertPorts,
  fault: HardwareFault,
  timeoutMs = waitMs,
): Promise<HardwareFault> {
  const { name = "" } = fault.metadata;
  if (!isLive(fault)) return fault;
  if (timeoutMs <= 0) return book.get(name);
  try {
    return await withDeadline({ clock, timeoutMs, what: `The end of fault ${name}` }, () =>
      reaper.revert(name, "requested"),
    );
  } catch (error) {
    if (isTesseraError(error) && error.code === "E_TIMEOUT") return book.get(name);
    throw error;
  }
}

/**
 * Takes several faults back and waits a while for all of them together. They are all told to end
 * before any is waited for, so that they do whatever happens then. One that fails does not keep the
 * others: it is told at the end.
 */
export async function revertFaults(
  ports: RevertPorts,
  faults: readonly HardwareFault[],
): Promise<readonly HardwareFault[]> {
  const { book, clock } = ports;
  const ended = await settleAll(faults, async (fault) =>
    isLive(fault) ? book.end(fault.metadata.name ?? "", "requested") : fault,
  );
  const untilMs = clock.monotonicMs() + waitMs;
  const over = await settleAll(ended.values, (fault) =>
    revertFault(ports, fault, untilMs - clock.monotonicMs()),
  );
  const [error] = [...ended.errors, ...over.errors];
  if (error !== undefined) throw error;
  return over.values;
}

async function settleAll(
  faults: readonly HardwareFault[],
  work: (fault: HardwareFault) => Promise<HardwareFault>,
): Promise<{ readonly values: readonly HardwareFault[]; readonly errors: readonly Error[] }> {
  const results = await mapConcurrent(faults, revertsAtOnce, async (fault) => {
    try {
      return await work(fault);
    } catch (error) {
      return error instanceof Error ? error : new Error(messageOf(error), { cause: error });
    }
  });
  return {
    values: results.flatMap((result) => (result instanceof Error ? [] : [result])),
    errors: results.filter((result) => result instanceof Error),
  };
}
