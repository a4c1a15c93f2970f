import { TesseraError } from "../../platform/errors/index.ts";
import { isNotFound, type KubeClient, kubeFailureOf } from "../../platform/kube/index.ts";
import { type Clock, retry } from "../../platform/time/index.ts";
import {
  type HardwareFault,
  type HardwareFaultStatus,
  hardwareFaults,
  parseHardwareFault,
} from "../objects/index.ts";
import { firstStatus, type Stamp } from "./transitions.ts";

export interface FaultWriterOptions {
  readonly client: Pick<KubeClient, "get" | "update">;
  /** Where the faults are kept. */
  readonly namespace: string;
  readonly clock: Clock;
  /** For the jitter between attempts. */
  readonly random: { float(): number };
  readonly by: string;
}

/** Makes the next status of one; undefined: nothing is to be written. May run several times. */
export type StatusChange = (
  status: HardwareFaultStatus,
  stamp: Stamp,
  fault: HardwareFault,
) => HardwareFaultStatus | undefined;

/** How often others may be faster. */
const attemptsMax = 10;

/** Reads a fault. @throws TesseraError E_HW_FAULT_UNKNOWN, E_HW_FAILED for a damaged one */
export async function readFault(
  { client, namespace }: Pick<FaultWriterOptions, "client" | "namespace">,
  name: string,
): Promise<HardwareFault> {
  try {
    return parseHardwareFault(await client.get(hardwareFaults, { namespace, name }));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new TesseraError("E_HW_FAULT_UNKNOWN", { id: name }, { cause: error });
  }
}

/**
 * Changes the status of a fault, only if nobody changed it in between; else begins again with the
 * newer one. A fault that is known already saves the first look.
 */
export function writeStatus(
  options: FaultWriterOptions,
  name: string,
  change: StatusChange,
  known?: HardwareFault,
): Promise<HardwareFault> {
  const { client, clock, by, random } = options;
  const attempt = async (number: number) => {
    const fault = number === 1 && known !== undefined ? known : await readFault(options, name);
    const stamp = { by, nowMs: clock.nowMs() };
    const status = change(fault.status ?? firstStatus(fault, stamp), stamp, fault);
    if (status === undefined) return fault;
    return await client
      .update<HardwareFault>(hardwareFaults, { ...fault, status } as HardwareFault, {
        subresource: "status",
      })
      .catch((error: unknown) => {
        throw isNotFound(error)
          ? new TesseraError("E_HW_FAULT_UNKNOWN", { id: name }, { cause: error })
          : error;
      });
  };
  return retry(attempt, {
    clock,
    rng: random,
    attemptsMax,
    delayMs: 20,
    delayMsMax: 500,
    shouldRetry: (error) => kubeFailureOf(error)?.reason === "Conflict",
  });
}
