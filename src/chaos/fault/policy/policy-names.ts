/** What a job does when a part of it is lost. */
export const failurePolicies = [
  "failFast",
  "drainThenResume",
  "pauseForManual",
  "shrink",
  "spare",
] as const;
export type FailurePolicy = (typeof failurePolicies)[number];

/** What a job does when it is told that it will be taken away. */
export const preemptActions = ["checkpointThenExit", "partialFlushThenExit", "failFast"] as const;
export type PreemptAction = (typeof preemptActions)[number];
