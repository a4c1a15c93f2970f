import type { ChaosPlan } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { Trace, TraceWindow } from "../sim/engine/index.ts";
import type { World, WorldRunOptions } from "../world.ts";

/** A world that can say event by event what happened. Any other world simply never does. */
export interface TracingWorld extends World {
  run(plan: ChaosPlan, options: TracingRunOptions): Promise<RunRecord>;
}

export interface TracingRunOptions extends WorldRunOptions {
  /** Told once, when the run is over. */
  readonly onTrace?: (trace: Trace) => void;
  /** Entries of the trace to keep in full. @default none */
  readonly traceWindow?: TraceWindow;
}
