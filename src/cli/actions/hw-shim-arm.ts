import { exitCodes } from "../../platform/errors/index.ts";
import { controlFile } from "../hw-shim/control-option.ts";
import { cudaFaultOf, lastsMs } from "../hw-shim/fault-flags.ts";
import { showControl } from "../hw-shim/show-control.ts";
import type { Action } from "../invocation.ts";

const command = "hw shim arm";
/** Calls only take longer. */
const noErrors = { inFlight: 0, onInit: 0, sticky: false } as const;

/** `tessera hw shim arm`: CUDA calls fail from now on. */
export const run: Action = async (invocation) => {
  const [{ armControl }, { cudaCodesOf }] = await Promise.all([
    import("../../hardware/shim/index.ts"),
    import("../../hardware/xid/index.ts"),
  ]);
  const path = controlFile(invocation, command);
  const fault = cudaFaultOf(invocation, command);
  const codes = fault.latencyUs === undefined ? cudaCodesOf(fault.xid) : noErrors;
  const nowMs = invocation.clock.nowMs();
  const expiresAtMs = nowMs + lastsMs(invocation, command);
  await armControl(path, { fault, codes, expiresAtMs, nowMs });
  await showControl(invocation, path);
  return exitCodes.good;
};
