import { messageOf } from "../../platform/errors/index.ts";
import { type Clock, type Timer, withDeadline } from "../../platform/time/index.ts";

export interface LeaseKeeperOptions {
  readonly clock: Clock;
  readonly leaseSeconds: number;
  /** Renews; rejects when it could not. */
  readonly renew: (signal: AbortSignal) => Promise<unknown>;
  /** Told about every renewal that failed, and once when the lease must be taken for lost. */
  readonly say: (text: string) => void;
}

/** Keeps a run's faults in force while the runner lives. */
export interface LeaseKeeper {
  /** True once no renewal has succeeded for a whole lease: by then the faults end by themselves. */
  readonly isLost: boolean;
  /** Renews no more; resolves when a renewal under way has ended. */
  stop(): Promise<void>;
}

/**
 * Renews three times a lease, so that two renewals may fail. A lost lease is said out loud and not
 * fought: the cluster is restored by whoever watches it, and the test is over.
 */
export function startLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { clock, leaseSeconds, renew, say } = options;
  const everyMs = (leaseSeconds * 1000) / 3;
  const stopping = new AbortController();
  let renewedMs = clock.monotonicMs();
  let isLost = false;
  let underWay: Promise<void> = Promise.resolve();
  let timer: Timer | undefined;
  const renewOnce = async () => {
    const startedMs = clock.monotonicMs();
    try {
      const about = { clock, timeoutMs: everyMs, what: "The renewal", signal: stopping.signal };
      await withDeadline(about, renew);
      // What counts is when it was asked for: the answer may have taken long.
      renewedMs = startedMs;
    } catch (error) {
      if (!stopping.signal.aborted) failed(error);
    }
    if (!stopping.signal.aborted && !isLost) next();
  };
  const failed = (error: unknown) => {
    say(`the lease could not be renewed: ${messageOf(error)}`);
    if (clock.monotonicMs() - renewedMs < leaseSeconds * 1000) return;
    isLost = true;
    say(`the lease of ${leaseSeconds} s is lost: the faults of this run end by themselves`);
  };
  const next = () => {
    timer = clock.setTimer(everyMs, () => {
      underWay = renewOnce();
    });
  };
  next();
  return {
    get isLost() {
      return isLost || clock.monotonicMs() - renewedMs >= leaseSeconds * 1000;
    },
    stop: async () => {
      stopping.abort(new Error("the lease is no longer needed"));
      timer?.cancel();
      await underWay;
    },
  };
}
