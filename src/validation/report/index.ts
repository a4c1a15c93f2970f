export { assessNodes, type CheckAnswer, type NodeAssessment } from "./assess-nodes.ts";
export { buildValidationReport, type ReportContext } from "./build-report.ts";
export { type Coverage, coverageOf } from "./coverage.ts";
export type { ClusterReportData, KnownDefect, NodeState, ReportNode } from "./data.ts";
export { type FleetSnapshot, loadFleetSnapshot, saveFleetSnapshot } from "./fleet-snapshot.ts";
export { type GatherOptions, gatherReportData } from "./gather.ts";
export { nodesFromView, type ReportQuery, readReportData } from "./read-report-data.ts";
export { type Moment, parseMoment, WindowError } from "./report-window.ts";
export { countNodes } from "./summary.ts";
