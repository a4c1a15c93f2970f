import { z } from "zod";
import type { FaultEntry } from "./fault-entry.ts";
import { noParams } from "./fields.ts";

/** Faults that only Slurm knows. */
export const slurmFaults = {
  kill_step: {
    family: "slurm",
    name: "kill_step",
    title: "A step of a job is killed",
    params: z.strictObject({
      step: z
        .string()
        .regex(/^(\d{1,9}|batch)$/, { error: "must be a number, or batch for the job's script" })
        .default("0")
        .describe("which: its number, or batch for the job's script"),
      signal: z
        .enum(["KILL", "TERM"])
        .default("KILL")
        .describe("TERM lets its processes end by themselves, KILL does not"),
    }),
    targets: ["slurm-job"],
    worlds: { sim: null, host: null, kubernetes: null, slurm: "scancel with the signal" },
    ending: "instant",
    undo: null,
    evidence: "the step is no longer among those that Slurm lists, or the job has left its run",
    xids: [],
  },
  requeue_job: {
    family: "slurm",
    name: "requeue_job",
    title: "A job is put back into the queue",
    params: noParams,
    targets: ["slurm-job"],
    worlds: { sim: null, host: null, kubernetes: null, slurm: "scontrol requeue" },
    ending: "instant",
    undo: null,
    evidence: "the job has left its run, as the controller shows it",
    xids: [],
  },
  drain_node: {
    family: "slurm",
    name: "drain_node",
    title: "A node takes no new jobs",
    params: noParams,
    targets: ["slurm-node"],
    worlds: {
      sim: null,
      host: null,
      kubernetes: null,
      slurm: "State=DRAIN with a reason that names the run; what runs there goes on",
    },
    ending: "lasting",
    undo: "State=UNDRAIN while the reason is still ours; a drain of somebody else is never touched",
    evidence: "the node as the controller shows it",
    xids: [],
  },
  kill_slurmd: {
    family: "slurm",
    name: "kill_slurmd",
    title: "The daemon of a node is gone",
    params: noParams,
    targets: ["slurm-node"],
    worlds: {
      sim: null,
      host: null,
      kubernetes: null,
      slurm: "the command of `slurm.stopSlurmd`; without one the world refuses the plan",
    },
    ending: "lasting",
    undo: "the command of `slurm.startSlurmd`, until the node answers; it takes jobs as before",
    evidence: "the controller shows the node as not responding or down",
    xids: [],
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;
