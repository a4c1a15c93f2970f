export { hardwareFaultCrd } from "./crd.ts";
export {
  type CudaAction,
  type CudaFault,
  type FaultAction,
  type FaultKind,
  faultKinds,
  type GpuChoice,
  nodeOf,
  type PartitionAction,
  type PassthroughAction,
  type XidAction,
  type XidLine,
} from "./fault-action.ts";
export {
  type EndReason,
  endReasons,
  type FaultState,
  faultLabels,
  faultStates,
  type HardwareFault,
  type HardwareFaultSpec,
  type HardwareFaultStatus,
  hardwareFaults,
  isLive,
  type Sighting,
  type StateChange,
  undoFinalizer,
} from "./hardware-fault.ts";
export { marks, nodeLabelValue, ownCondition, shimPaths, shimVariables } from "./marks.ts";
export type { NodeCondition, NodeObject, PodObject } from "./node-object.ts";
export { checkFaultSpec, parseHardwareFault } from "./schemas.ts";
export type {
  ControlUndo,
  FieldUndo,
  NodeTaint,
  NodeUndo,
  ObjectUndo,
  UndoEntry,
  WorkloadUndo,
} from "./undo-entry.ts";
export {
  type CustomWorkload,
  scopeOf,
  type WorkloadKind,
  type WorkloadRef,
  workloadKinds,
} from "./workload-ref.ts";
