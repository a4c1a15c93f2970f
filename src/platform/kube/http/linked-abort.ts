import { setMaxListeners } from "node:events";

/** A signal that follows others until it is released. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  /** Stops following; without it a long-lived signal would keep a listener for every request. */
  release(): void;
}

/** A signal that aborts with the first of the given ones. AbortSignal.any holds on to memory in Node 20. */
export function linkAbort(...sources: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const given = sources.filter((source) => source !== undefined);
  // One listener for each request under way is no leak; they are released when it ends.
  setMaxListeners(0, ...given);
  const onAbort = (event: Event) => controller.abort((event.target as AbortSignal).reason);
  for (const source of given) {
    if (source.aborted) controller.abort(source.reason);
    else source.addEventListener("abort", onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    release: () => {
      for (const source of given) source.removeEventListener("abort", onAbort);
    },
  };
}
