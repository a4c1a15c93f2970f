import { marks, ownCondition } from "../objects/index.ts";
import { nvSentinelNames } from "./nvsentinel/names.ts";

/** What detectors write on nodes, NVSentinel's and our own: remembered before a fault, put back after it. */
export const detectorKeys = {
  annotations: [...Object.values(nvSentinelNames.annotations), marks.cordonedBy],
  labels: Object.values(nvSentinelNames.labels),
  /** Types of node conditions. */
  conditions: [...Object.values(nvSentinelNames.conditions), ownCondition],
} as const satisfies Record<string, readonly string[]>;
