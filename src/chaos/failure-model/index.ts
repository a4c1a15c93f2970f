export type { Cause, CauseScope, CauseSign } from "./cause.ts";
export { type CitationName, citations } from "./citation.ts";
export { logNormalSigma, waitingTimes } from "./distributions.ts";
export { nodesHit, torShare } from "./domains.ts";
export {
  type DrawnFailures,
  type DrawOptions,
  defectiveDevices,
  drawFailures,
} from "./draw-incidents.ts";
export type { FailureModel, ModelChanges } from "./failure-model.ts";
export { FailureSource } from "./failure-source.ts";
export type { DefectiveDevice, Extent, Incident, JobStop, Straggling } from "./incident.ts";
export { type Parameter, parameter, parametersOf } from "./parameter.ts";
export { type PlannedFaultOptions, plannedFaultsOf } from "./planned-faults.ts";
export { type FailureModelName, failureModels } from "./presets/index.ts";
export { changesProblem, withChanges } from "./with-changes.ts";
