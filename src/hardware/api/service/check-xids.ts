import { cudaCodesOf, injectableXid } from "../../xid/index.ts";
import type { RequestedAction } from "../fault-request.ts";

/**
 * Refuses numbers that mean nothing: detectors close a node for them nevertheless.
 *
 * @throws TesseraError E_XID_UNKNOWN
 */
export function checkXids(action: RequestedAction): void {
  if (action.kind === "xid") for (const { xid } of action.lines) injectableXid(xid);
  if (action.kind === "cuda") cudaCodesOf(action.fault.xid);
}
