import type { Pace, Timeouts } from "../../plan/index.ts";

/**
 * Timeouts that fit together: silence is noticed before anybody waits in vain for an exchange, a
 * recovery has time for a drain, a rendezvous and a load before something else cuts it short.
 */
export const timeoutDefaults: Omit<Timeouts, "heartbeatEveryUs"> = {
  heartbeatUs: 2_000_000,
  collectiveUs: 5_000_000,
  rendezvousUs: 30_000_000,
  saveUs: 10_000_000,
  loadUs: 10_000_000,
  drainUs: 6_000_000,
};

/** A worker is lost after so many beats that did not come. */
export const beatsOfHeartbeat = 4;

/** How long the parts of a small job take on one machine. */
export const paceDefaults: Pace = {
  computeUs: 1000,
  jitter: 0.02,
  startUs: 300_000,
  rendezvousUs: 50_000,
  saveUs: 20_000,
  loadUs: 20_000,
  repairUs: null,
};

export const checkpointDefaults = { everySteps: 8, keep: 3, asynchronous: false } as const;
export const restartsDefault = 3;
export const graceUsDefault = 30_000_000;
export const limitUsDefault = 10 * 60 * 1_000_000;
export const probeTimeoutUsDefault = 5_000_000;
