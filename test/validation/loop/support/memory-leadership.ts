import type { Clock, Timer } from "../../../../src/platform/time/clock.ts";
import type { Leadership } from "../../../../src/validation/leadership/index.ts";

/** The lock itself, which outlives those who hold it. */
export interface LockRow {
  holder: string;
  expiresMs: number;
  fence: number;
}

export function freeLock(): LockRow {
  return { holder: "", expiresMs: 0, fence: 0 };
}

const ttlMs = 3_000;

/** Leadership by a lock in memory. Only `isAlive` processes renew it; a paused one finds out late. */
export function createMemoryLeadership(options: {
  readonly row: LockRow;
  readonly holder: string;
  readonly clock: Clock;
  readonly isAlive: () => boolean;
}): Leadership {
  const { row, holder, clock, isAlive } = options;
  const listeners = new Set<() => void>();
  let renewedMs = Number.NEGATIVE_INFINITY;
  let fence: number | undefined;
  let timer: Timer | undefined;
  const isLeader = () => fence !== undefined && clock.monotonicMs() - renewedMs < (ttlMs * 2) / 3;
  const attempt = () => {
    timer = clock.setTimer(ttlMs / 5, attempt);
    if (!isAlive()) return;
    const nowMs = clock.monotonicMs();
    const isOurs = row.holder === holder && row.fence === fence && row.expiresMs > nowMs;
    if (!isOurs) {
      fence = undefined;
      if (row.expiresMs <= nowMs) {
        row.holder = holder;
        row.fence += 1;
        fence = row.fence;
      }
    }
    if (fence !== undefined) {
      row.expiresMs = nowMs + ttlMs;
      renewedMs = nowMs;
    }
    for (const listener of listeners) listener();
  };
  return {
    start: attempt,
    isLeader,
    fence: () => (isLeader() ? fence : undefined),
    leader: () => ({ holder: row.holder, sinceMs: undefined, isThisProcess: isLeader() }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async () => {
      timer?.cancel();
      if (isAlive() && isLeader()) row.expiresMs = 0;
      fence = undefined;
    },
  };
}
