export {
  type Baseline,
  type BaselineFigure,
  type BaselineRecord,
  type BaselineState,
  baselineStates,
  type History,
  type NodeEvent,
  type NodeEventKind,
  nodeEventKinds,
  type PlanGate,
  type PlanRefusal,
  type RunFilter,
  type RunNote,
} from "./history.ts";
export { getDbLatestStatus } from "./latest-status.ts";
export { openHistory } from "./open-history.ts";
