import type { CheckFacts } from "../prioritize/index.ts";

/** What a kind of defect does to the jobs on its node and to the kernel log, per hour. */
export interface DefectKind {
  readonly name: string;
  /** Share of all defects that are of this kind. */
  readonly weight: number;
  readonly crashesPerBusyHour: number;
  readonly kernelEventsPerBusyHour: number;
  readonly xids: readonly number[];
}

/** The kinds a simulated fleet has. The last two leave no trace outside of a test. */
export const defectKinds: readonly DefectKind[] = [
  {
    name: "hbm",
    weight: 0.3,
    crashesPerBusyHour: 0.1,
    kernelEventsPerBusyHour: 0.06,
    xids: [48, 63, 94, 95],
  },
  {
    name: "nvlink",
    weight: 0.2,
    crashesPerBusyHour: 0.07,
    kernelEventsPerBusyHour: 0.05,
    xids: [74],
  },
  { name: "nic", weight: 0.25, crashesPerBusyHour: 0.08, kernelEventsPerBusyHour: 0, xids: [] },
  {
    name: "gpu-bus",
    weight: 0.15,
    crashesPerBusyHour: 0.15,
    kernelEventsPerBusyHour: 0.03,
    xids: [79, 119],
  },
  { name: "slow-gpu", weight: 0.05, crashesPerBusyHour: 0, kernelEventsPerBusyHour: 0, xids: [] },
  { name: "corruption", weight: 0.05, crashesPerBusyHour: 0, kernelEventsPerBusyHour: 0, xids: [] },
];

/** What a fault of a program writes to the kernel log of a healthy node. */
export const programXids: readonly number[] = [13, 31, 43, 45];

/** The checks of a simulated fleet: what the three checks of the framework are good at. */
export const fleetChecks: readonly CheckFacts[] = [
  {
    name: "dl-unit",
    minutes: 20,
    sensitivity: { hbm: 0.9, nvlink: 0.5, "gpu-bus": 0.9, "slow-gpu": 0.9, corruption: 0.7 },
    falseAlarm: 0,
  },
  {
    name: "nccl-loopback",
    minutes: 10,
    sensitivity: { nvlink: 0.6, nic: 0.95, "gpu-bus": 0.6, "slow-gpu": 0.2 },
    falseAlarm: 0,
  },
  {
    name: "storage-io",
    minutes: 10,
    sensitivity: { nic: 0.6, "gpu-bus": 0.2 },
    falseAlarm: 0,
  },
];
