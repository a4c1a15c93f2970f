import type { WorldRunOptions } from "../world.ts";
import type { SimEngine, Trace, TraceWindow } from "./engine/index.ts";

export interface SimRunOptions extends WorldRunOptions {
  /** Lets other things of the process happen, such as the signal; called now and then. */
  readonly breathe?: (() => Promise<void>) | undefined;
  /** Told the trace with its marks, for finding where two runs part. */
  readonly onTrace?: ((trace: Trace) => void) | undefined;
  /** Entries of the trace to keep in full. @default none */
  readonly traceWindow?: TraceWindow | undefined;
}

/** The part of the options that the engine takes. */
export function windowOf({ traceWindow }: SimRunOptions): { readonly window?: TraceWindow } {
  return traceWindow === undefined ? {} : { window: traceWindow };
}

/** Events between two breaths, about. */
const breathEvents = 500_000;
const firstSliceUs = 1_000_000;

/** Cuts a run into slices, so that the process can breathe between them. Nothing of it enters the trace. */
export function createBreath(engine: SimEngine, { breathe }: SimRunOptions) {
  let sliceUs = firstSliceUs;
  let events = 0;
  return {
    untilUs: (limitUs: number): number =>
      breathe === undefined ? limitUs : Math.min(limitUs, engine.nowUs + sliceUs),
    taken: async (): Promise<void> => {
      if (breathe === undefined) return;
      const done = engine.processed - events;
      if (done < breathEvents) {
        sliceUs = Math.min(2 ** 50, 2 * sliceUs);
        return;
      }
      if (done > 2 * breathEvents) sliceUs = Math.max(1, Math.floor(sliceUs / 2));
      events = engine.processed;
      await breathe();
    },
  };
}
