import type { CudaFault } from "../../../src/hardware/objects/index.ts";
import { armControl, type FaultCodes } from "../../../src/hardware/shim/index.ts";
import { cudaCodesOf } from "../../../src/hardware/xid/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";

const clock = createRealClock();

export interface ArmWish {
  readonly codes?: FaultCodes;
  /** From now. @default 60_000 */
  readonly forMs?: number;
}

/** Arms a block from now on, with the codes of the catalogue unless told. */
export async function arm(path: string, fault: CudaFault, wish: ArmWish = {}): Promise<void> {
  const nowMs = clock.nowMs();
  const codes = wish.codes ?? cudaCodesOf(fault.xid);
  const expiresAtMs = nowMs + (wish.forMs ?? 60_000);
  await armControl(path, { fault, codes, expiresAtMs, nowMs });
}
