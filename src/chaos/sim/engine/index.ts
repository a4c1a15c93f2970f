export {
  compareTraces,
  firstDifference,
  type TraceComparison,
  type TraceDifference,
  type TracedRun,
} from "./compare-traces.ts";
export { createEngine, type EngineOptions } from "./create-engine.ts";
export type { EventHandler, EventId, EventKind, RunEnd, SimEngine } from "./sim-engine.ts";
export type { Trace, TraceEntry, TraceWindow } from "./trace.ts";
