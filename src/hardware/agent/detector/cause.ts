import type { SeenXid } from "../agent-options.ts";

/** Why a node is shown as broken: an XID, and the fault that wrote its line where one did. */
export interface Cause extends SeenXid {
  /** The name of the fault. */
  readonly fault?: string;
}

const correlationPattern = /^[\da-f]{12}$/;

/** What stands on a node that was closed for this cause. */
export function cordonMark({ correlationId, xid }: SeenXid): string {
  return correlationId ?? `xid-${xid}`;
}

/** True for a mark that came with a line of a fault, not with one of the hardware. */
export function isFaultMark(mark: string): boolean {
  return correlationPattern.test(mark);
}

/** True for a cause that no fault wrote. */
export function isReal({ correlationId }: SeenXid): boolean {
  return correlationId === undefined;
}

/** In words, for the condition of the node. */
export function describeCause({ xid, pci, correlationId }: SeenXid): string {
  return `XID ${xid} on GPU ${pci}${correlationId === undefined ? "" : ` tessera=${correlationId}`}`;
}
