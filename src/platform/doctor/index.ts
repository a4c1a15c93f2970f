export { browserProbe } from "./browser-probe.ts";
export { createDiagnosis, type Diagnosis, exitCodeOf } from "./diagnosis.ts";
export {
  type Finding,
  type FindingState,
  findingStates,
  type Probe,
  type ProbeContext,
} from "./finding.ts";
export { describeHost, type Host } from "./host.ts";
export { nodeProbe } from "./node-probe.ts";
export { countStates, type DoctorFinding, type DoctorOptions, runDoctor } from "./run-doctor.ts";
