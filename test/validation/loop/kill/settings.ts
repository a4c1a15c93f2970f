import type { ValidationSettings } from "../../../../src/validation/settings.ts";

export const clusterName = "killed";
export const inFlightMax = 3;

/** Short times, so that a run sees many lives of the loop, and a life many runs. */
export const settings: ValidationSettings = {
  policy: "stale",
  staleAfterDays: 7,
  checks: [
    { name: "probe", minutes: 1, sensitivity: {}, falseAlarm: 0, fileSystem: "", options: {} },
  ],
  guard: {
    inFlightMax,
    perRackMax: 100,
    perFileSystemMax: 100,
    cooldownMs: 0,
    retestAfterMs: 0,
    gpuHoursPerDay: Infinity,
    quietHours: [],
  },
  pendingTimeoutMs: 3_000,
  runTimeoutMs: 6_000,
  resultGraceMs: 1_000,
  compareDays: 30,
  act: { mode: "off", label: false, cordon: false, cordonedShareMax: 0.1 },
};
