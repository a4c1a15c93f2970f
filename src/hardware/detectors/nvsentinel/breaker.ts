/** NVSentinel's circuit breaker as its chart sets it. */
export const breakerDefaults = { percent: 50, windowMs: 300_000 } as const;

export interface BreakerSettings {
  /** Of the GPU nodes. @default 50 */
  readonly percent: number;
  /** Cordons older than this no longer count. @default 300_000 */
  readonly windowMs: number;
}

/** How many cordoned nodes make it trip, rounded up: 5 of 10, 6 of 11, 1 of 1. */
export function breakerThreshold(gpuNodes: number, percent: number): number {
  return Math.ceil((gpuNodes * percent) / 100);
}

/** `CLOSED` lets events through; `TRIPPED` stops all of them until somebody resets it by hand. */
export type BreakerStatus = "CLOSED" | "TRIPPED";

/** What the breaker remembers. It lives in memory: a restart forgets the cordons, not the status. */
export interface BreakerState {
  readonly status: BreakerStatus;
  /** When each node was last cordoned; a node counts once. */
  readonly cordonedAtMs: Readonly<Record<string, number>>;
}

export const closedBreaker: BreakerState = { status: "CLOSED", cordonedAtMs: {} };

/**
 * The check before every event, of any kind. The cordon that reaches the threshold is still done; it
 * is the next event that trips the breaker and is lost, also the healthy one that would have opened a
 * node.
 */
export function checkBreaker(
  state: BreakerState,
  about: { readonly gpuNodes: number; readonly nowMs: number; readonly settings: BreakerSettings },
): BreakerState {
  const { gpuNodes, nowMs, settings } = about;
  if (state.status === "TRIPPED") return state;
  const recent = Object.entries(state.cordonedAtMs).filter(
    ([, atMs]) => nowMs - atMs < settings.windowMs,
  );
  const trips = recent.length >= breakerThreshold(gpuNodes, settings.percent);
  return { status: trips ? "TRIPPED" : "CLOSED", cordonedAtMs: Object.fromEntries(recent) };
}

/** Remembers a cordon, also that of a node which was closed already. */
export function countCordon(state: BreakerState, node: string, nowMs: number): BreakerState {
  return { ...state, cordonedAtMs: { ...state.cordonedAtMs, [node]: nowMs } };
}
