export type { JobEvent, MemorySample } from "./job-event.ts";
export {
  type InjectionRecord,
  type ProbeAnswer,
  type RunRecord,
  type WorldName,
  worldNames,
} from "./run-record.ts";
