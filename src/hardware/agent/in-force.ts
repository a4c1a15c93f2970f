import {
  type CudaAction,
  type HardwareFault,
  isLive,
  nodeOf,
  type XidAction,
} from "../objects/index.ts";

/** A fault with what it does known to be of one kind. */
export type FaultOf<Action> = HardwareFault & { readonly spec: { readonly action: Action } };

const carriedOutIn: readonly string[] = ["armed", "injected", "observed"];

/** True while a fault may act: its undo is written down, nobody has ended it, its lease runs. */
export function isInForce(fault: HardwareFault, nowMs: number): boolean {
  const { state } = fault.status ?? {};
  if (state === undefined || !carriedOutIn.includes(state) || isEnding(fault)) return false;
  return endsAtMs(fault) > nowMs;
}

/** True for a fault that somebody has ended, whether or not everything is back already. */
export function isEnding(fault: HardwareFault): boolean {
  const { metadata, status } = fault;
  if (status?.end !== undefined || metadata.deletionTimestamp !== undefined) return true;
  return !isLive(fault) || status?.state === "reverting" || status?.state === "revert-failed";
}

/** When a fault ends by itself; NaN, which is later than nothing, when it does not say. */
export function endsAtMs({ spec, status }: HardwareFault): number {
  return Math.min(Date.parse(status?.leaseUntil ?? ""), Date.parse(spec.expiresAt));
}

/** The CUDA faults of a node that are in force: one for each scope, and those that come too late. */
export function cudaOwners(
  faults: readonly HardwareFault[],
  { node, nowMs }: { readonly node: string; readonly nowMs: number },
): {
  readonly owners: ReadonlyMap<string, FaultOf<CudaAction>>;
  readonly late: readonly FaultOf<CudaAction>[];
} {
  const owners = new Map<string, FaultOf<CudaAction>>();
  const late: FaultOf<CudaAction>[] = [];
  const inForce = faults.filter(isCuda).filter((fault) => isOn(fault, node, nowMs));
  for (const fault of inForce.toSorted(earlier)) {
    const { scope } = fault.spec.action;
    if (owners.has(scope)) late.push(fault);
    else owners.set(scope, fault);
  }
  return { owners, late };
}

/** The XID faults of a node whose lines are to be written. */
export function xidOrders(
  faults: readonly HardwareFault[],
  { node, nowMs }: { readonly node: string; readonly nowMs: number },
): readonly FaultOf<XidAction>[] {
  return faults
    .filter(isXid)
    .filter((fault) => fault.status?.state === "armed" && isOn(fault, node, nowMs));
}

/** The scopes that pods of this cluster may look at, in order. */
export function liveScopes(faults: readonly HardwareFault[]): readonly string[] {
  const scopes = faults.filter(isLive).flatMap(({ spec }) => {
    return spec.action.kind === "passthrough" ? [spec.action.scope] : [];
  });
  return [...new Set(scopes)].toSorted();
}

/** Faults of a node that write lines, by what their lines carry. */
export function byCorrelation(
  faults: readonly HardwareFault[],
  node: string,
): ReadonlyMap<string, HardwareFault> {
  const own = faults.filter(isXid).filter(({ spec }) => spec.action.node === node);
  return new Map(own.map((fault) => [fault.spec.action.correlationId, fault]));
}

export function isXid(fault: HardwareFault): fault is FaultOf<XidAction> {
  return fault.spec.action.kind === "xid";
}

function isCuda(fault: HardwareFault): fault is FaultOf<CudaAction> {
  return fault.spec.action.kind === "cuda";
}

function isOn(fault: HardwareFault, node: string, nowMs: number): boolean {
  return nodeOf(fault.spec.action) === node && isInForce(fault, nowMs);
}

/** What is carried out already comes before what asks for it; then the older one. */
function earlier(one: HardwareFault, other: HardwareFault): number {
  const rank = ({ status, metadata }: HardwareFault) =>
    `${status?.state === "armed" ? 1 : 0} ${metadata.creationTimestamp ?? ""} ${metadata.name ?? ""}`;
  return rank(one) < rank(other) ? -1 : 1;
}
