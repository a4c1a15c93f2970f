import type { KubeObject } from "../types.ts";

/** A Lease of coordination.k8s.io/v1, as far as an election uses it. */
export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    /** How often the holder changed: grows with every term, so it can order what leaders did. */
    readonly leaseTransitions?: number;
  };
}

/** A lease as this process saw it, and when it first saw it so, by its own stopwatch. */
export interface Observation {
  readonly lease: Lease;
  readonly seenAtMs: number;
}

/**
 * Notes what was seen. Only a change of the lease moves the time: the holder's clock is never
 * compared with ours, so clocks that disagree do no harm.
 */
export function observe(before: Observation | undefined, lease: Lease, nowMs: number): Observation {
  const same = before?.lease.metadata.resourceVersion === lease.metadata.resourceVersion;
  return same && before !== undefined ? before : { lease, seenAtMs: nowMs };
}

/** Whether a candidate may take the lease: nobody holds it, it does itself, or the holder fell silent. */
export function mayTake(observation: Observation, identity: string, nowMs: number): boolean {
  const { holderIdentity = "", leaseDurationSeconds = 0 } = observation.lease.spec ?? {};
  if (holderIdentity === "" || holderIdentity === identity) return true;
  return nowMs - observation.seenAtMs >= leaseDurationSeconds * 1000;
}

/** The lease as it is to be written by its new or old holder. */
export function heldLease(
  before: Lease | undefined,
  holder: { readonly identity: string; readonly leaseDurationMs: number; readonly nowMs: number },
): NonNullable<Lease["spec"]> {
  const { spec } = before ?? {};
  const now = microTime(holder.nowMs);
  const mine = spec?.holderIdentity === holder.identity;
  const transitions = spec?.leaseTransitions ?? 0;
  return {
    holderIdentity: holder.identity,
    leaseDurationSeconds: Math.ceil(holder.leaseDurationMs / 1000),
    acquireTime: mine && spec.acquireTime !== undefined ? spec.acquireTime : now,
    renewTime: now,
    leaseTransitions: mine || before === undefined ? transitions : transitions + 1,
  };
}

/** The lease as its holder leaves it behind: free for anyone, at once. */
export function releasedLease(before: Lease, nowMs: number): NonNullable<Lease["spec"]> {
  const now = microTime(nowMs);
  const leaseTransitions = before.spec?.leaseTransitions ?? 0;
  return {
    holderIdentity: "",
    leaseDurationSeconds: 1,
    acquireTime: now,
    renewTime: now,
    leaseTransitions,
  };
}

/** A time as Leases want it, with six digits after the second. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}
